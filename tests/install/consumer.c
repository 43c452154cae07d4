// SPDX-License-Identifier: Apache-2.0
// A program of someone else in C, which says how many samples the deltas of a series have, and
// writes the last one. Its arguments are the file for that, and those of the series.
#include <stdio.h>
#include <stdlib.h>

#include <pprofdelta/pprofdelta.h>

static void check(pprofdelta_status status, const pprofdelta_error *error) {
    if (status != PPROFDELTA_OK) {
        fprintf(stderr, "%s: %s\n", pprofdelta_status_name(status), error->message);
        exit(status % 10);
    }
}

static size_t read_file(const char *name, char **bytes) {
    FILE *file = fopen(name, "rb");
    size_t size = 0;
    size_t room = 1024;
    char *read = malloc(room);
    if (file == NULL || read == NULL) {
        perror(name);
        exit(1);
    }
    while ((size += fread(read + size, 1, room - size, file)) == room) {
        room *= 2;
        read = realloc(read, room);
        if (read == NULL) {
            exit(1);
        }
    }
    fclose(file);
    *bytes = read;
    return size;
}

int main(int argc, char **argv) {
    pprofdelta_error error;
    pprofdelta_computer *computer;
    pprofdelta_buffer *read = pprofdelta_buffer_new();
    pprofdelta_view delta = {NULL, 0};
    check(pprofdelta_computer_new(NULL, &computer, &error), &error);
    for (int i = 2; i < argc; ++i) {
        char *bytes;
        const size_t size = read_file(argv[i], &bytes);
        pprofdelta_view profile;
        pprofdelta_source source;
        pprofdelta_summary summary;
        check(pprofdelta_decode(bytes, size, 0, read, &profile, &source, &error), &error);
        check(pprofdelta_computer_compute(computer, profile.data, profile.size, (int)source,
                                          &delta, &summary, &error),
              &error);
        printf("%s: %d of %d samples kept\n", pprofdelta_version(), (int)summary.samples_kept,
               (int)summary.samples_in);
        free(bytes);
    }
    check(pprofdelta_encode(delta.data, delta.size, PPROFDELTA_CODEC_GZIP,
                            PPROFDELTA_DEFAULT_LEVEL, read, &delta, &error),
          &error);
    FILE *file = fopen(argv[1], "wb");
    if (file == NULL || fwrite(delta.data, 1, delta.size, file) != delta.size || fclose(file)) {
        perror(argv[1]);
        return 1;
    }
    pprofdelta_buffer_free(read);
    pprofdelta_computer_free(computer);
    return 0;
}

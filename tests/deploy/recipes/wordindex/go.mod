// SPDX-License-Identifier: Apache-2.0
module example.org/wordindex

go 1.19

module habits

go 1.18

// A certificate for `localhost` and `files.test` with its key, created for these tests only: self-signed,
// valid from 2020 to 2120. It protects nothing, and only these tests trust it.

export const TEST_KEY = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgwZ6MUowldl2wtWNf
5T8iqUgItelfdC6ymfg0zsz9Q2ehRANCAAT65AbCZMSwsChmz04YF2Odu57J1kqh
jeUZPsWwjbfXtd3j64iCKGJxFWXKab04GbS6QTMwi3joGHILrhYYawX1
-----END PRIVATE KEY-----`

export const TEST_CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBbDCCAROgAwIBAgIBATAKBggqhkjOPQQDAjAUMRIwEAYDVQQDDAlsb2NhbGhv
c3QwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBaMBQxEjAQBgNVBAMM
CWxvY2FsaG9zdDBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABPrkBsJkxLCwKGbP
ThgXY527nsnWSqGN5Rk+xbCNt9e13ePriIIoYnEVZcppvTgZtLpBMzCLeOgYcguu
FhhrBfWjVDBSMA8GA1UdEwEB/wQFMAMBAf8wIAYDVR0RBBkwF4IJbG9jYWxob3N0
ggpmaWxlcy50ZXN0MB0GA1UdDgQWBBTRHHoGjOwpO1ndrrobmKib4+aDODAKBggq
hkjOPQQDAgNHADBEAiARYe7zd4cTZAVRMixHDpgv+luQoAxjnQpAAcJ2xHW8GwIg
LG6xhUpE4qP1uyahy3y/E9R3R54l+z4M7lZIX8/NLak=
-----END CERTIFICATE-----`

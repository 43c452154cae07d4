-- SPDX-License-Identifier: Apache-2.0
local function parse(n)
    local s = 0
    for i = 1, n do s = s + i % 7 end
    return s
end
local function fold(n)
    local t = {}
    for i = 1, n do t[i] = tostring(i) end
    return table.concat(t)
end
for i = 1, 400 do
    parse(100000)
    fold(2000)
end

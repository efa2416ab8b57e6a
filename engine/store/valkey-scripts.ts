/**
 * What runs inside Valkey, each script in one go: plain commands of Redis 7.0 by `redis.call`. All keys of one call lie
 * on one server (see `valkey-keys.ts`). Expiry is the server's own, so that computers whose clocks differ agree.
 *
 * A record is text: `<revision>:<expires at, ms, or nothing>:<JSON>`. An entry of a log is `<index>:<JSON>`, so that the
 * last one tells the next index; in a list of others it is the JSON alone, counted by its place.
 */

/** Adds a member to an owner's index, which lives as long as its longest record; looks after three others. */
const indexing = `
local function keepIndex(index, records, member, at)
  local until_ = redis.call('PEXPIRETIME', index)
  local added = redis.call('ZADD', index, 0, member)
  if at == nil then
    if until_ >= 0 then redis.call('PERSIST', index) end
  elseif until_ == -2 or (until_ >= 0 and until_ < at) then
    redis.call('PEXPIREAT', index, number(at))
  end
  if added == 0 then return end
  for _, other in ipairs(redis.call('ZRANDMEMBER', index, 3)) do
    if redis.call('EXISTS', records .. other) == 0 then redis.call('ZREM', index, other) end
  end
end`;

/** Appends to a log of ours: values lie in ARGV from `from` to `to`. Gives the last index. */
const appending = `
local function push(list, values)
  for start = 1, #values, 1000 do
    redis.call('RPUSH', list, unpack(values, start, math.min(start + 999, #values)))
  end
end
local function lastIndex(list)
  local last = redis.call('LINDEX', list, -1)
  return last and tonumber(string.match(last, '^%d+')) or 0
end
local function append(list, life, cap, from, to)
  local last = lastIndex(list)
  if to < from then return last end
  local values = {}
  for i = from, to do last = last + 1; values[#values + 1] = number(last) .. ':' .. ARGV[i] end
  push(list, values)
  redis.call('LTRIM', list, -cap, -1)
  if life ~= '' then redis.call('PEXPIREAT', list, number(now + life)) end
  return last
end`;

/**
 * Appends to a list of others. Beside it lies how many entries were cut, with the list's expiry: a list whose expiry is
 * another than that was given it by somebody else, and keeps it.
 */
const sharing = `
local function appendShared(list, beside, life, cap, from, to)
  local theirs, ours = redis.call('PEXPIRETIME', list), redis.call('PEXPIRETIME', beside)
  local cut = theirs ~= -2 and tonumber(redis.call('GET', beside) or 0) or 0
  local length = redis.call('LLEN', list)
  if to < from then return cut + length end
  local values = {}
  for i = from, to do values[#values + 1] = ARGV[i] end
  push(list, values)
  length = length + #values
  if length > cap then
    redis.call('LTRIM', list, -cap, -1)
    cut, length = cut + length - cap, cap
  end
  if theirs == -2 or (theirs >= 0 and theirs == ours) then
    if life == '' then
      redis.call('SET', beside, number(cut), 'KEEPTTL')
    else
      redis.call('PEXPIREAT', list, number(now + life))
      redis.call('SET', beside, number(cut), 'PXAT', number(now + life))
    end
  elseif theirs >= 0 then
    redis.call('SET', beside, number(cut), 'PXAT', number(theirs + 1))
  else
    redis.call('SET', beside, number(cut))
  end
  return cut + length
end`;

/**
 * Makes changes, all or none. A change that was made already, whose answer was lost with the connection, is not made
 * again: its answer is kept for a moment.
 *
 * KEYS: where the answer is kept, the owner's index, then those that the changes name by number.
 * ARGV: ms that the answer is kept, what the owner's records begin with, and of each change:
 * `put key member expected life json` · `delete key member expected` · `append key life cap count json…` ·
 * `share key beside life cap count json…` · `drop key` · `unshare key beside`.
 * Gives `{ 'done', results }` or `{ 'conflict' | 'type', number of the change }`; results are joined by commas.
 */
export const changeScript = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local function number(value) return string.format('%.0f', value) end
${indexing}
${appending}
${sharing}

local known = redis.call('GET', KEYS[1])
if known then return { 'done', known } end

-- First look: nothing is written unless every expectation is so.
local revisions, changes, at = {}, {}, 3
local function revisionOf(key)
  if revisions[key] == nil then
    revisions[key] = tonumber(string.match(redis.call('GETRANGE', key, 0, 20), '^%d+') or 0)
  end
  return revisions[key]
end
local function isSo(key, expected)
  if expected == '' then return true end
  if expected == 'absent' then return revisionOf(key) == 0 end
  return revisionOf(key) == tonumber(expected)
end
while at <= #ARGV do
  local kind, key = ARGV[at], KEYS[tonumber(ARGV[at + 1])]
  local change = { kind = kind, key = key, at = at }
  changes[#changes + 1] = change
  if kind == 'put' then
    if not isSo(key, ARGV[at + 3]) then return { 'conflict', number(#changes) } end
    change.revision = revisionOf(key) + 1
    revisions[key] = change.revision
    at = at + 6
  elseif kind == 'delete' then
    if not isSo(key, ARGV[at + 3]) then return { 'conflict', number(#changes) } end
    change.found = revisionOf(key) > 0 and 1 or 0
    revisions[key] = 0
    at = at + 4
  else
    local type = redis.call('TYPE', key).ok
    if type ~= 'list' and type ~= 'none' then return { 'type', number(#changes) } end
    if kind == 'append' then at = at + 5 + ARGV[at + 4]
    elseif kind == 'share' then at = at + 6 + ARGV[at + 5]
    elseif kind == 'drop' then at = at + 2
    else at = at + 3 end
  end
end

local results = {}
for _, change in ipairs(changes) do
  local key, i, result = change.key, change.at, nil
  if change.kind == 'put' then
    local expires = ARGV[i + 4] ~= '' and now + ARGV[i + 4] or nil
    local text = number(change.revision) .. ':' .. (expires and number(expires) or '') .. ':' .. ARGV[i + 5]
    if expires then redis.call('SET', key, text, 'PXAT', number(expires)) else redis.call('SET', key, text) end
    keepIndex(KEYS[2], ARGV[2], ARGV[i + 2], expires)
    result = change.revision
  elseif change.kind == 'delete' then
    redis.call('DEL', key)
    redis.call('ZREM', KEYS[2], ARGV[i + 2])
    result = change.found
  elseif change.kind == 'append' then
    result = append(key, ARGV[i + 2], tonumber(ARGV[i + 3]), i + 5, i + 4 + ARGV[i + 4])
  elseif change.kind == 'share' then
    local beside = KEYS[tonumber(ARGV[i + 2])]
    result = appendShared(key, beside, ARGV[i + 3], tonumber(ARGV[i + 4]), i + 6, i + 5 + ARGV[i + 5])
  elseif change.kind == 'drop' then
    result = redis.call('DEL', key)
  else
    result = redis.call('DEL', key)
    redis.call('DEL', KEYS[tonumber(ARGV[i + 2])])
  end
  results[#results + 1] = number(result)
end
local answer = table.concat(results, ',')
redis.call('SET', KEYS[1], answer, 'PX', ARGV[1])
return { 'done', answer }
`;

/**
 * Records of one owner, in order of their members. KEYS: its index. ARGV: what its records begin with, the range as
 * ZRANGEBYLEX has it, most. Gives `member, text` by turns. What has expired leaves the index.
 */
export const scanScript = `
local found, from, most = {}, ARGV[2], tonumber(ARGV[4])
while #found / 2 < most do
  local members = redis.call('ZRANGEBYLEX', KEYS[1], from, ARGV[3], 'LIMIT', 0, 200)
  for _, member in ipairs(members) do
    local text = redis.call('GET', ARGV[1] .. member)
    if not text then
      redis.call('ZREM', KEYS[1], member)
    elseif #found / 2 < most then
      found[#found + 1] = member
      found[#found + 1] = text
    end
  end
  if #members < 200 then break end
  from = '(' .. members[#members]
end
return found
`;

/** Entries with `from <= index <= to`. KEYS: the log, and for a list of others what lies beside it. ARGV: from, to. */
export const rangeScript = `
local first = redis.call('LINDEX', KEYS[1], 0)
if not first then return { '1' } end
local start = KEYS[2] and (redis.call('GET', KEYS[2]) or 0) + 1 or tonumber(string.match(first, '^%d+'))
local from, to = math.max(tonumber(ARGV[1]), start), tonumber(ARGV[2])
local entries = to < from and {} or redis.call('LRANGE', KEYS[1], from - start, to - start)
table.insert(entries, 1, string.format('%.0f', from))
return entries
`;

/** The newest entries. KEYS as above. ARGV: how many. Both give the index of the first entry before the entries. */
export const lastScript = `
local length = redis.call('LLEN', KEYS[1])
local count = math.min(tonumber(ARGV[1]), length)
if count == 0 then return { '1' } end
local entries = redis.call('LRANGE', KEYS[1], -count, -1)
local cut = KEYS[2] and redis.call('GET', KEYS[2]) or 0
table.insert(entries, 1, string.format('%.0f', cut + length - count + 1))
return entries
`;

// @ts-check

// Writes beyond the end of a typed array have no effect, so place -1, which means no place, needs no special case.
// Place and time are stored where the host finds them if code is interrupted. Differences of times are right although
// only 32 bits are stored.

const { numbers, count, now } = hostProbes
const hits = numbers.subarray(0, count)
const times = numbers.subarray(count, 2 * count)
const pieces = numbers.subarray(2 * count, 3 * count)
const current = numbers.subarray(3 * count)
current[0] = -1
const heightMax = 4096
const below = new Int32Array(heightMax)
let height = 0
export function mark(i) {
  hits[i]++
  const at = now()
  times[current[0]] += at - current[1]
  current[1] = at
  current[0] = i
  pieces[i]++
}
export function at(i, value) {
  mark(i)
  return value
}
export function enter(i) {
  if (height < heightMax) below[height] = current[0]
  height++
  mark(i)
}
export function resume(i, value) {
  enter(i)
  hits[i]--
  return value
}
export function leave(value) {
  const at = now()
  times[current[0]] += at - current[1]
  current[1] = at
  const place = height > 0 && --height < heightMax ? below[height] : -1
  current[0] = place
  pieces[place]++
  return value
}
export function stop() {
  height = 0
  leave()
}

import { availableParallelism, loadavg } from 'node:os'

/**
 * How many times as long as on an idle machine a limit by the wall clock should be: a whole number from 2 to 8, which grows
 * with the load of the machine. A sandbox ends code by the wall clock, and would end innocent code too on a machine that has
 * other work. Only for limits that something has to reach in a test; others are simply long.
 */
export function patience(): number {
  const [lastMinute = 0] = loadavg()
  return Math.min(8, Math.max(2, Math.ceil(lastMinute / availableParallelism())))
}

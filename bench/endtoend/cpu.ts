import type { ChildProcess } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/** Microseconds of one tick of the kernel's accounting, on all usual builds. */
const tickMicroseconds = 10_000

/** CPU of all threads of a process so far, in microseconds. Linux only: elsewhere nothing tells that of another process. */
export function cpuOf({ pid }: Pick<ChildProcess, 'pid'>): number {
  const tasks = `/proc/${pid}/task`
  return readdirSync(tasks).reduce((sum, task) => sum + cpuOfTask(`${tasks}/${task}/schedstat`), 0)
}

function cpuOfTask(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ')[0]) / 1_000
  } catch {
    // The thread has ended.
    return 0
  }
}

/** CPU of all processes of a program so far, in microseconds, as far as they live. @param program such as `postgres`. */
export function cpuOfAll(program: string): number {
  let ticks = 0
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
      if (!stat.includes(`(${program})`)) continue
      const [user, system] = stat
        .slice(stat.lastIndexOf(')') + 2)
        .split(' ')
        .slice(11, 13)
      ticks += Number(user) + Number(system)
    } catch {
      // It has ended meanwhile.
    }
  }
  return ticks * tickMicroseconds
}

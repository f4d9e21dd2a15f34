import { FairTurns } from '@sluice/core/fair-turns'
import type { Job, Task, TaskKind, Tasks } from './task.ts'
import { type Loads, WorkProcess } from './work-process.ts'

/** Processes at a time. Each may take a gigabyte, and takes some 60 MB when it has little to do. */
const processesMax = 8
/** Those of one owner: servers that never answer must leave some to others. */
const processesPerOwnerMax = 2
/** How long a process without a task is kept: starting one takes some 0.2 s of a core. */
const idleMs = 30_000

/** Does tasks at warehouses in processes of their own, which are started when needed and ended when idle. */
export interface WorkProcesses {
  /**
   * Does a task as soon as a process is free.
   * @param owner a workspace: owners take turns. @param loads the rows that the task asks for. @throws as `WorkProcess.run`.
   */
  run<Kind extends TaskKind>(
    owner: string,
    job: Job,
    task: { readonly kind: Kind } & Tasks[Kind]['given'],
    loads: Loads,
    signal: AbortSignal,
  ): Promise<Tasks[Kind]['result']>
}

/** @param main the compiled main file of the processes. */
export function createWorkProcesses(main: URL): WorkProcesses {
  const turns = new FairTurns({ turnsMax: processesMax, turnsPerOwnerMax: processesPerOwnerMax })
  const idle: WorkProcess[] = []
  let looks: NodeJS.Timeout | undefined

  function endIdle(): void {
    const now = performance.now()
    while (idle[0] && (!idle[0].isUsable || now - idle[0].idleSince > idleMs)) idle.shift()?.kill()
    if (idle.length > 0) return
    clearInterval(looks)
    looks = undefined
  }

  return {
    run: <Kind extends TaskKind>(
      owner: string,
      job: Job,
      task: { readonly kind: Kind } & Tasks[Kind]['given'],
      loads: Loads,
      signal: AbortSignal,
    ): Promise<Tasks[Kind]['result']> =>
      turns.run(owner, signal, async () => {
        let worker = idle.pop()
        while (worker && !worker.isUsable) worker = idle.pop()
        worker ??= new WorkProcess(main)
        try {
          return (await worker.run(job, task as Task, loads, signal)) as Tasks[Kind]['result']
        } finally {
          if (worker.isUsable) idle.push(worker)
          looks ??= setInterval(endIdle, idleMs / 3).unref()
        }
      }),
  }
}

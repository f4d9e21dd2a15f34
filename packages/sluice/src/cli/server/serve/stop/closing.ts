import { createDeadline } from '@sluice/core'
import { printLine } from '../../../terminal/print-line.ts'
import type { Close } from './close.ts'
import { graceMs } from './grace-ms.ts'

/**
 * Runs something that opens resources, and closes them in reverse order within the time to stop, also after an error.
 * @param run pushes the functions that close what it opened.
 */
export async function closing(stopSeconds: number, run: (closing: Close[]) => Promise<void>): Promise<void> {
  const opened: Close[] = []
  try {
    await run(opened)
  } finally {
    const deadline = createDeadline(stopSeconds * 1_000)
    const overdue = setTimeout(giveUp, stopSeconds * 1_000 + graceMs)
    try {
      for (const close of opened.reverse()) await close(deadline)
    } finally {
      clearTimeout(overdue)
    }
  }
}

/** Exits although work has not ended in time. Acknowledged events are on disk. */
function giveUp(): never {
  printLine('could not stop in time; unfinished work is repeated after a restart')
  process.exit(1)
}

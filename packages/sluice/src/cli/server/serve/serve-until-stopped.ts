import { createDeadline } from '@sluice/core'
import { printLine } from '../../terminal/print-line.ts'
import type { Close } from './close.ts'
import { graceMs } from './grace-ms.ts'
import { limitGarbage } from './limit-garbage.ts'
import type { OwnSupervisor } from './processes/own-supervisor.ts'
import type { ServeFlags } from './serve-flags.ts'
import { serveWorkspace } from './serve-workspace.ts'

/**
 * Serves until `signal` aborts, or all events of `--once` have ended, and closes everything within the time to stop.
 * @param supervisor set when this process is one of several.
 */
export async function serveUntilStopped(
  flags: ServeFlags,
  signal: AbortSignal,
  supervisor?: OwnSupervisor,
): Promise<void> {
  limitGarbage()
  const closing: Close[] = []
  try {
    await serveWorkspace(flags, signal, closing, supervisor)
  } finally {
    const deadline = createDeadline(flags.stopSeconds * 1_000)
    const overdue = setTimeout(giveUp, flags.stopSeconds * 1_000 + graceMs)
    try {
      for (const close of closing.reverse()) await close(deadline)
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

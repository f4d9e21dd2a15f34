import type { StageError } from '@sluice/core'
import { withFrames } from '../errors/guest-exception.ts'
import type { SandboxLimits } from '../sandbox-limits.ts'
import type { EntryPoint } from '../vm/load-modules.ts'
import { type Given, tooMuchMemory } from '../vm/machine-port.ts'
import type { OpenProgram } from '../vm/machine-slot.ts'

/** Errors of events without an answer, worded for authors of user code. */
export function timeout({ program, machine }: OpenProgram, timeMs: number): StageError {
  const message = `Error: Script execution timed out. ${program.entry} ran longer than ${Math.ceil(timeMs)} ms.`
  return { code: 'transform.timeout', message: withFrames(message, machine.interruptedStack, program.modules) }
}

export function waitedTooLong(entry: EntryPoint, { asyncTimeMs }: SandboxLimits): StageError {
  const message = `Error: Timed out. The promise that ${entry} returned did not settle within ${asyncTimeMs} ms.`
  return { code: 'transform.timeout', message }
}

export function batchTimeout({ batchTimeMs }: SandboxLimits): StageError {
  const message = `Error: Script execution timed out. The batch ran longer than ${batchTimeMs} ms before this event's turn.`
  return { code: 'transform.timeout', message }
}

export function overwritten(entry: EntryPoint): StageError {
  const message = `Error: the result of ${entry} could not be read; was a built-in overwritten?`
  return { code: 'transform.output', message }
}

export function outOfMemory(limits: SandboxLimits): StageError {
  return { code: 'transform.memory', message: tooMuchMemory(limits) }
}

/** Why a document could not be passed to the guest. */
export function unreadable(given: Given, limits: SandboxLimits): StageError {
  if (given === 'noRoom') return outOfMemory(limits)
  return { code: 'transform.stack', message: 'RangeError: the event is nested too deeply' }
}

/** For promises that no remaining code can settle. */
export function neverResolves(entry: EntryPoint): StageError {
  const message = `Error: the promise that ${entry} returned never resolves: there is nothing left to run.`
  return { code: 'transform.timeout', message }
}

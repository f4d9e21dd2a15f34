import type { Event } from '@sluice/core'
import type { SandboxOptions } from '@sluice/sandbox'
import type { Subject } from '../run/offline-runner.ts'
import type { BenchCell, TimeShares } from './bench-report.ts'
import { measureCell } from './measure-cell.ts'

/** Reads its event and gives nothing back: what an event costs to get in. Spreading it reads every member. */
const takes = 'export function transformEvent(event) { return null }'
const givesBack = 'export function transformEvent(event) { return event }'

/**
 * Where the time of a cell goes: what a transformation that drops everything takes is the way in, what one that gives its
 * event back takes more is the way out, and the rest is user code. A transformation whose results are far smaller or larger
 * than its events has a way out that is shorter or longer than told here.
 */
export async function measureShares(
  subject: Subject,
  events: readonly Event[],
  cell: BenchCell,
  timeMs: number,
  sandbox: SandboxOptions = {},
): Promise<TimeShares> {
  const perEvent = async (measured: Subject): Promise<number> => {
    const { eventsPerSecond } = await measureCell(measured, events, cell, timeMs, sandbox)
    return (cell.workers * 1_000) / eventsPerSecond
  }
  const inMs = await perEvent({ name: 'takes', code: takes })
  const bothMs = await perEvent({ name: 'gives back', code: givesBack })
  const allMs = await perEvent(subject)
  return {
    crossingInMs: inMs,
    userCodeMs: Math.max(0, allMs - Math.max(inMs, bothMs)),
    crossingOutMs: Math.max(0, bothMs - inMs),
  }
}

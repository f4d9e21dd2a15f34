import type { Event } from '@sluice/core'
import type { Probes } from '@sluice/sandbox'
import type { RunConditions, Subject } from '../run/offline-run.ts'
import type { OfflineRunner } from '../run/offline-runner.ts'

/** Batch size of production. */
const batchMax = 200
const roundsMax = 3
/** Part of a round in which the code runs without marks. */
const plainShare = 1 / 4

/** What one round has measured. The counts of the marks are those of the probes until the next round. */
export interface ProfileRound {
  readonly events: number
  readonly failed: number
  /** Time that the events of the round take without marks, in ms. */
  readonly plainMs: number
  readonly markUs: number
}

interface Profiled {
  readonly runner: OfflineRunner
  readonly plain: Subject
  readonly marked: Subject
  readonly events: readonly Event[]
  readonly conditions: RunConditions | undefined
  readonly probes: Probes
  /** A probe of no line. */
  readonly freeProbe: number
}

/**
 * Measures in three rounds of equal time, so that work of others in one of them shows. When the first takes the whole
 * time, because the events are slow, it is the only one.
 *
 * @param onRound called after each round, before the counts are cleared.
 */
export async function measureRounds(
  profiled: Profiled,
  timeMs: number,
  onRound: (round: ProfileRound) => void,
): Promise<void> {
  const { runner, plain, marked, probes } = profiled
  const roundMs = timeMs / roundsMax
  const end = performance.now() + timeMs
  for (let round = 0; round < roundsMax && (round === 0 || performance.now() < end); round += 1) {
    const markUs = await measureMark(runner, probes, profiled.freeProbe)
    const without = await runFor(roundMs * plainShare, plain, profiled)
    probes.clear()
    const withMarks = await runFor(roundMs * (1 - plainShare), marked, profiled)
    const { events, failed } = withMarks
    onRound({ events, failed, markUs, plainMs: (without.ms / without.events) * events })
  }
}

/** Consecutive marks with nothing between them. */
const calibration = `import { mark, stop } from '@sluice/probe'
export function transformEvent() {
  for (let i = 0; i < 5000; i++) { ${'mark(PLACE);'.repeat(10)} }
  stop()
}`

async function measureMark(runner: OfflineRunner, probes: Probes, place: number): Promise<number> {
  const code = calibration.replaceAll('PLACE', String(place))
  const event: Event = { type: 'track' }
  const subject: Subject = { name: 'calibration', code }
  // The first calls are slower, because the engine itself is still being compiled.
  await runner.run(subject, [event, event])
  probes.clear()
  await runner.run(subject, [event, event])
  return (probes.timeMs(place) / Math.max(1, probes.pieces(place))) * 1_000
}

/** Runs small batches first, so that one slow event does not run a hundred times. */
async function runFor(timeMs: number, subject: Subject, { runner, events, conditions }: Profiled) {
  let size = 1
  let next = 0
  let count = 0
  let failed = 0
  const startedAt = performance.now()
  for (;;) {
    const batch = Array.from({ length: size }, (_, i) => events[(next + i) % events.length]).filter(
      (one) => one !== undefined,
    )
    const ran = await runner.run(subject, batch, conditions)
    next = (next + size) % events.length
    count += size
    failed += ran.endings.filter(({ outcome }) => outcome === 'failed').length
    const ms = performance.now() - startedAt
    if (ms >= timeMs) return { events: count, failed, ms }
    if (ran.timeMs < timeMs / 20) size = Math.min(size * 2, batchMax, Math.max(1, events.length))
  }
}

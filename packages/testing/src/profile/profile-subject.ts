import type { Event } from '@sluice/core'
import { createProbes, createTypeStripper, type Probes } from '@sluice/sandbox'
import { instrumentedLimits } from '../coverage/coverage.ts'
import { instrumentTypeless, replaceCodes, type UncountedFile } from '../instrument/instrument-typeless.ts'
import type { RunConditions, Subject, SubjectFiles } from '../run/offline-run.ts'
import { createOfflineRunner, type OfflineRunner, type OfflineRunnerOptions } from '../run/offline-runner.ts'
import { type LineHint, lineHints } from './line-hints.ts'
import { type MarkedCode, markLines } from './mark-lines.ts'

/** Profile of one line of user code. */
export interface LineProfile {
  /** The name given to profileSubject. */
  readonly file: string
  /** From 1. */
  readonly line: number
  /** Its own time in all events, without that of functions with lines of their own and without that of the marks. */
  readonly ms: number
  readonly msPerEvent: number
  /** Share of the time of all lines, 0 to 1. */
  readonly share: number
  /** Executions of its statements, calls and functions. */
  readonly hits: number
  /** Source text without surrounding spaces. */
  readonly source: string
  readonly hints: readonly LineHint[]
}

export interface Profile {
  /** Executed lines, the slowest first. */
  readonly lines: readonly LineProfile[]
  /** Number of events run, including repeated ones. */
  readonly events: number
  /** Number of failed events. A time-out counts on the line where it occurred. */
  readonly failed: number
  /** Time of all lines. */
  readonly ms: number
  /**
   * Time of a mark in µs, already subtracted. For a line of many short steps the error is a tenth of this times its
   * hits.
   */
  readonly markUs: number
  /** Files without lines in the profile, because they could not be marked. */
  readonly unmarked: readonly UncountedFile[]
}

export interface ProfileOptions {
  /** Names of the code in the report; default its own names. */
  readonly files?: SubjectFiles
  readonly conditions?: RunConditions
  /** Running time in ms: the events repeatedly, or as many of them as fit. Default 1,000. */
  readonly timeMs?: number
  /** Limits are those of production, with ten times the time. */
  readonly sandbox?: Omit<OfflineRunnerOptions, 'probes'>
}

/** Batch size of production. */
const batchMax = 200
/** More lines than a transformation has with all its libraries. */
const linesMax = 16_384

/**
 * Finds out which lines of a transformation and its libraries take time, by running it with marks.
 *
 * The clock has a resolution of a millisecond, which is accurate in total: for a line that took 50 ms expect 45 to 55.
 * Marks cost some 0.5 µs each, which is measured and subtracted. Time between events, waits for the host, and loading
 * are not attributed to any line.
 *
 * @throws OfflineLoadError when the code cannot be loaded; RangeError without events or time.
 */
export async function profileSubject(
  subject: Subject,
  events: readonly Event[],
  { files = {}, conditions, timeMs = 1_000, sandbox = {} }: ProfileOptions = {},
): Promise<Profile> {
  if (events.length === 0) throw new RangeError('a profile needs at least one event')
  if (!(timeMs > 0)) throw new RangeError(`the time of a profile is ${timeMs} ms, must be above 0`)
  const probes = createProbes(linesMax, { isTimed: true })
  const marked = await markSubject(subject, files, probes)
  const limits = instrumentedLimits(sandbox.limits)
  const runner = await createOfflineRunner({ ...sandbox, code: 'untrusted', limits, probes })
  try {
    await runner.run(marked.subject, [], conditions)
    const markUs = await measureMark(runner, probes)
    const ran = await runFor(timeMs, runner, marked.subject, events, conditions, probes)
    return {
      ...profileOf(marked.files, probes, ran.events, markUs),
      ...ran,
      markUs,
      unmarked: marked.unmarked,
    }
  } finally {
    await runner.close()
  }
}

/** Returns the slowest lines: those with at least `shareMin` of the time, at most `count`. Default: 5, from 1 %. */
export function hottestLines(profile: Profile, { count = 5, shareMin = 0.01 } = {}): readonly LineProfile[] {
  return profile.lines.filter(({ share }) => share >= shareMin).slice(0, count)
}

interface MarkedFile extends MarkedCode {
  readonly file: string
  readonly typeless: string
  /** The source with types; its lines match those of `typeless`. */
  readonly written: string
}

async function markSubject(subject: Subject, names: SubjectFiles, probes: Probes) {
  const stripper = createTypeStripper()
  const files: MarkedFile[] = []
  const unmarked: UncountedFile[] = []
  const nextProbe = (): number => {
    const probe = probes.take(1)
    if (probe === undefined) throw new RangeError(`the code has more than ${linesMax} lines`)
    return probe
  }
  try {
    const marked = await replaceCodes(subject, names, async (file, code) => {
      const one = await instrumentTypeless(code, stripper, (text) => markLines(text, nextProbe))
      if ('problem' in one) unmarked.push({ file, reason: one.problem })
      else files.push({ ...one, file, written: code })
      return 'problem' in one ? code : one.code
    })
    return { subject: marked, files, unmarked }
  } finally {
    await stripper.close()
  }
}

/** Consecutive marks with nothing between them. */
const calibration = `import { mark, stop } from '@sluice/probe'
export function transformEvent() {
  for (let i = 0; i < 5000; i++) { ${'mark(PLACE);'.repeat(10)} }
  stop()
}`

async function measureMark(runner: OfflineRunner, probes: Probes): Promise<number> {
  const place = probes.take(1) ?? probes.count - 1
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
async function runFor(
  timeMs: number,
  runner: OfflineRunner,
  subject: Subject,
  events: readonly Event[],
  conditions: RunConditions | undefined,
  probes: Probes,
): Promise<{ readonly events: number; readonly failed: number }> {
  let size = 1
  let next = 0
  let count = 0
  let failed = 0
  probes.clear()
  const startedAt = performance.now()
  for (;;) {
    const batch = Array.from({ length: size }, (_, i) => events[(next + i) % events.length]).filter(
      (one) => one !== undefined,
    )
    const ran = await runner.run(subject, batch, conditions)
    next = (next + size) % events.length
    count += size
    failed += ran.endings.filter(({ outcome }) => outcome === 'failed').length
    if (performance.now() - startedAt >= timeMs) return { events: count, failed }
    if (ran.timeMs < timeMs / 20) size = Math.min(size * 2, batchMax, Math.max(1, events.length))
  }
}

function profileOf(files: readonly MarkedFile[], probes: Probes, events: number, markUs: number) {
  const lines = files.flatMap(({ file, typeless, written, lines: probeByLine, entries }) => {
    const texts = written.split('\n')
    const hints = lineHints(typeless)
    return [...probeByLine].map(([line, probe]) => ({
      file,
      line,
      // Until the first statement, only the mark and the first use of restored memory take time.
      ms: entries.has(line) ? 0 : Math.max(0, probes.timeMs(probe) - (probes.pieces(probe) * markUs) / 1_000),
      hits: probes.hits(probe),
      source: (texts[line - 1] ?? '').trim(),
      hints: hints.get(line) ?? [],
    }))
  })
  const ms = lines.reduce((sum, line) => sum + line.ms, 0)
  const passed = lines.filter(({ hits }) => hits > 0).sort((a, b) => b.ms - a.ms)
  return {
    ms,
    lines: passed.map(
      (line): LineProfile => ({ ...line, msPerEvent: line.ms / events, share: ms > 0 ? line.ms / ms : 0 }),
    ),
  }
}

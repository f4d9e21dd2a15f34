import type { Event } from '@sluice/core'
import { createProbes, type Probes } from '@sluice/sandbox'
import { instrumentedLimits } from '../coverage/coverage.ts'
import type { RunConditions, Subject, SubjectFiles } from '../run/offline-run.ts'
import { createOfflineRunner, type OfflineRunnerOptions } from '../run/offline-runner.ts'
import { lineHints } from './line-hints.ts'
import type { LineProfile, Profile } from './line-profile.ts'
import { type LineTime, lineTimes } from './line-times.ts'
import { linesMax, type MarkedFile, markSubject } from './mark-subject.ts'
import { measureRounds, type ProfileRound } from './profile-rounds.ts'

export type { LineProfile, Profile } from './line-profile.ts'

export interface ProfileOptions {
  /** Names of the code in the report; default its own names. */
  readonly files?: SubjectFiles
  readonly conditions?: RunConditions
  /** Running time in ms: the events repeatedly, or as many of them as fit. Default 1,000. */
  readonly timeMs?: number
  /** Limits are those of production, with ten times the time. */
  readonly sandbox?: Omit<OfflineRunnerOptions, 'probes'>
}

/**
 * Finds out which lines of a transformation and its libraries take time, by running it with marks.
 *
 * The clock has a resolution of a millisecond, which is accurate in total: for a line that took 50 ms expect 45 to 55.
 * Marks cost some 0.5 µs each, which is measured and subtracted. Lines with shorter steps cannot be timed: they share
 * the rest of the time by how often they ran. Time between events, waits for the host, and loading are not attributed
 * to any line.
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
  const lines = marked.files.flatMap(linesOf)
  const freeProbe = probes.take(1) ?? probes.count - 1
  const limits = instrumentedLimits(sandbox.limits)
  const runner = await createOfflineRunner({ ...sandbox, code: 'untrusted', limits, probes })
  try {
    await runner.run(marked.subject, [], conditions)
    const rounds: CountedRound[] = []
    const profiled = { runner, plain: subject, marked: marked.subject, events, conditions, probes, freeProbe }
    await measureRounds(profiled, timeMs, (round) => rounds.push(countedRound(round, lines, probes)))
    return { ...profileOf(lines, rounds), unmarked: marked.unmarked }
  } finally {
    await runner.close()
  }
}

/** Returns the slowest lines: those with at least `shareMin` of the time, at most `count`. Default: 5, from 1 %. */
export function hottestLines(profile: Profile, { count = 5, shareMin = 0.01 } = {}): readonly LineProfile[] {
  return profile.lines.filter(({ share }) => share >= shareMin).slice(0, count)
}

/** A line that has a mark. */
interface Line extends Pick<LineProfile, 'file' | 'line' | 'source' | 'hints'> {
  readonly probe: number
  readonly isEntry: boolean
}

function linesOf({ file, typeless, written, lines, entries }: MarkedFile): readonly Line[] {
  const texts = written.split('\n')
  const hints = lineHints(typeless)
  return [...lines].map(([line, probe]) => ({
    file,
    line,
    probe,
    isEntry: entries.has(line),
    source: (texts[line - 1] ?? '').trim(),
    hints: hints.get(line) ?? [],
  }))
}

/** A round, with what each line took in it. */
interface CountedRound extends ProfileRound {
  readonly lines: readonly (LineTime & { readonly hits: number })[]
  readonly ms: number
}

function countedRound(round: ProfileRound, lines: readonly Line[], probes: Probes): CountedRound {
  const counts = lines.map(({ probe, isEntry }) => {
    const hits = probes.hits(probe)
    // Until the first statement, only the mark and the first use of restored memory take time.
    return isEntry ? { ms: 0, pieces: 0, hits: 0 } : { ms: probes.timeMs(probe), pieces: probes.pieces(probe), hits }
  })
  const times = lineTimes(counts, round.markUs, round.plainMs)
  return {
    ...round,
    ms: times.reduce((sum, { ms }) => sum + ms, 0),
    lines: times.map((time, i) => ({ ...time, hits: probes.hits(lines[i]?.probe ?? -1) })),
  }
}

function profileOf(lines: readonly Line[], rounds: readonly CountedRound[]): Omit<Profile, 'unmarked'> {
  const sum = (of: (round: CountedRound) => number): number => rounds.reduce((all, round) => all + of(round), 0)
  const events = sum((round) => round.events)
  const ms = sum((round) => round.ms)
  const profiles = lines.map(({ probe: _, isEntry: __, ...line }, i): LineProfile => {
    const shares = rounds.map((round) => (round.ms > 0 ? (round.lines[i]?.ms ?? 0) / round.ms : 0))
    const ownMs = sum((round) => round.lines[i]?.ms ?? 0)
    return {
      ...line,
      ms: ownMs,
      msPerEvent: ownMs / events,
      share: ms > 0 ? ownMs / ms : 0,
      shareRange: [Math.min(...shares), Math.max(...shares)],
      isCounted: rounds.every((round) => round.lines[i]?.isCounted !== false),
      hits: sum((round) => round.lines[i]?.hits ?? 0),
    }
  })
  return {
    lines: profiles.filter(({ hits }) => hits > 0).sort((a, b) => b.ms - a.ms),
    events,
    failed: sum((round) => round.failed),
    ms,
    markUs: sum((round) => round.markUs) / rounds.length,
    rounds: rounds.length,
  }
}

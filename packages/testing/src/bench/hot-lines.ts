import type { Event } from '@sluice/core'
import { defaultSandboxLimits, type SandboxOptions } from '@sluice/sandbox'
import { hottestLines, profileSubject } from '../profile/profile-subject.ts'
import type { Subject } from '../run/offline-run.ts'
import type { HotLine } from './bench-report.ts'

/** Time limit per event. By then it is known where it hangs, and a profile allows ten times the time. */
const eventTimeMs = 1_000

/** Returns the hottest lines of a transformation over events, with their source text including types. */
export async function hotLinesOf(
  subject: Subject,
  events: readonly Event[],
  { count, timeMs, sandbox }: { count: number; timeMs: number; sandbox: SandboxOptions },
): Promise<readonly HotLine[]> {
  const { probes: _, clock: __, random: ___, api: ____, queueLengthMax: _____, ...rest } = sandbox
  const given = rest.limits?.eventTimeMs ?? defaultSandboxLimits.eventTimeMs
  // The profile allows ten times this limit.
  const limits = { ...rest.limits, eventTimeMs: Math.ceil(Math.min(given, Math.max(eventTimeMs, timeMs) / 10)) }
  const { files = {} } = subject
  const profile = await profileSubject(subject, events, { timeMs, files, sandbox: { ...rest, limits } })
  const written = new Map(
    (subject.libraries ?? []).map(({ name, code }) => [
      files.libraries && Object.hasOwn(files.libraries, name) ? files.libraries[name] : `library ${name}`,
      code.split('\n'),
    ]),
  ).set(files.main ?? subject.name, subject.code.split('\n'))
  return hottestLines(profile, { count }).map(({ file, line, source, hints, ...times }) => ({
    module: file,
    line,
    // Removing types does not move lines.
    source: written.get(file)?.[line - 1]?.trim() ?? source,
    what: hints[0] ?? '',
    share: times.share,
    shareRange: times.shareRange,
    isCounted: times.isCounted,
    msPerEvent: times.msPerEvent,
    hits: times.hits,
  }))
}

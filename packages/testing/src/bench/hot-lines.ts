import type { Event } from '@sluice/core'
import { defaultSandboxLimits, type SandboxOptions } from '@sluice/sandbox'
import { hottestLines, profileSubject } from '../profile/profile-subject.ts'
import type { Subject } from '../run/offline-runner.ts'
import type { HotLine } from './bench-report.ts'

/** An event is cut off after so long: it is known by then where it hangs, and a profile gives ten times the time. */
const eventTimeMs = 1_000

/** The hottest lines of a transformation over events, each as it is written, types included. */
export async function hotLinesOf(
  subject: Subject,
  events: readonly Event[],
  { count, timeMs, sandbox }: { count: number; timeMs: number; sandbox: SandboxOptions },
): Promise<readonly HotLine[]> {
  const { probes: _, clock: __, random: ___, api: ____, queueLengthMax: _____, ...rest } = sandbox
  const given = rest.limits?.eventTimeMs ?? defaultSandboxLimits.eventTimeMs
  // The profile takes ten times what is given here.
  const limits = { ...rest.limits, eventTimeMs: Math.ceil(Math.min(given, Math.max(eventTimeMs, timeMs) / 10)) }
  const { files = {} } = subject
  const profile = await profileSubject(subject, events, { timeMs, files, sandbox: { ...rest, limits } })
  const written = new Map(
    (subject.libraries ?? []).map(({ name, code }) => [
      files.libraries && Object.hasOwn(files.libraries, name) ? files.libraries[name] : `library ${name}`,
      code.split('\n'),
    ]),
  ).set(files.main ?? subject.name, subject.code.split('\n'))
  return hottestLines(profile, { count }).map(({ file, line, source, hints, share, msPerEvent, hits }) => ({
    module: file,
    line,
    // Lines stay where types are taken away.
    source: written.get(file)?.[line - 1]?.trim() ?? source,
    what: hints[0] ?? '',
    share,
    msPerEvent,
    hits,
  }))
}

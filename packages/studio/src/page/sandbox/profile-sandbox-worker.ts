import type { EngineSource } from '@sluice/sandbox'
import { type Profile, profileSubject } from '@sluice/testing/profile'
import type { CodeToTry } from '@sluice/transformations'

/** What to measure, and the engine, which this Worker may not fetch itself: its name decides its policy. */
export interface ToProfileWorker {
  readonly engine: EngineSource
  readonly code: CodeToTry
  /** Milliseconds for which the events are run again and again. */
  readonly timeMs: number
}

export type FromProfileWorker = { readonly profile: Profile } | { readonly problem: string }

/** Measures the lines of user code, in a sandbox of its own. The page ends the Worker when it has answered. */
self.addEventListener('message', ({ data }: MessageEvent<ToProfileWorker>) => {
  profile(data).then(
    (measured) => post({ profile: measured }),
    (error: unknown) => post({ problem: error instanceof Error ? error.message : String(error) }),
  )
})

function profile({ engine, code, timeMs }: ToProfileWorker): Promise<Profile> {
  const { name, libraries, events } = code
  const subject = { name, code: code.code, libraries }
  return profileSubject(subject, events, { timeMs, sandbox: { mode: 'in-process', engine } })
}

function post(message: FromProfileWorker): void {
  self.postMessage(message)
}

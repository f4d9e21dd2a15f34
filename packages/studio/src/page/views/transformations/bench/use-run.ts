import { useRef, useState } from 'preact/hooks'
import type { RunResult } from '../transformation.ts'
import { tryInPage } from '../trial/try-in-page.ts'

type Event = Readonly<Record<string, unknown>>

/** What code made of events, in the page. */
export interface Ran {
  /** The code and the text of the events that were run. */
  readonly code: string
  readonly text: string
  readonly events: readonly Event[]
  readonly draft: RunResult
  /** What the live version returns for them, where that is other code. */
  readonly live: RunResult | undefined
}

interface RunInput {
  readonly name: string
  readonly code: string
  /** Events as JSON text. */
  readonly text: string
  readonly liveCode: string | undefined
}

interface Runs {
  readonly ran: Ran | undefined
  /** Why the events cannot be run at all. */
  readonly problem: string | undefined
  readonly isBusy: boolean
  /** Runs what is there now. Called while it runs, it runs again afterwards. */
  run(): Promise<Ran | undefined>
}

/** Runs code and the live version on events, in the sandbox of the page: nothing is sent anywhere. */
export function useRun(input: RunInput): Runs {
  const latest = useRef(input)
  latest.current = input
  const last = useRef<Promise<unknown>>(Promise.resolve())
  const [state, setState] = useState<Omit<Runs, 'run'>>({ ran: undefined, problem: undefined, isBusy: false })
  const run = (): Promise<Ran | undefined> => {
    const running = last.current.then(async () => {
      setState((before) => ({ ...before, isBusy: true }))
      // What was set a moment ago is known after the next rendering.
      await new Promise((resolve) => setTimeout(resolve))
      try {
        const ran = await runOnce(latest.current)
        setState({ ran, problem: undefined, isBusy: false })
        return ran
      } catch (error) {
        setState((before) => ({ ...before, problem: messageOf(error), isBusy: false }))
        return undefined
      }
    })
    last.current = running
    return running
  }
  return { ...state, run }
}

async function runOnce({ name, code, text, liveCode }: RunInput): Promise<Ran> {
  const events = parseEvents(text)
  const draft = await tryInPage(name, code, events)
  const live = liveCode === undefined || liveCode === code ? undefined : await tryInPage(name, liveCode, events)
  return { code, text, events, draft, live }
}

/** @throws Error when the text is not a JSON array of objects. */
export function parseEvents(text: string): readonly Event[] {
  let events: unknown
  try {
    events = JSON.parse(text)
  } catch (error) {
    throw new Error(`The events are not JSON: ${messageOf(error)}`)
  }
  if (!Array.isArray(events) || events.some((event) => typeof event !== 'object' || event === null))
    throw new Error('Events must be a JSON array of objects.')
  return events
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

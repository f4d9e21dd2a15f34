import type { JsonValue } from '@sluice/core'
import { withDefaults } from '@sluice/core/with-defaults'
import { createGuestFetch } from '#guest-fetch'
import { fetchGlobals } from '../../guest-programs.ts'
import type { GuestApiPart } from '../guest-api-part.ts'
import { createBatchGate } from './batch-gate.ts'
import { defaultFetchLimits, type FetchOptions } from './fetch-rules.ts'
import type { FetchedText, GuestFetch } from './guest-fetch.ts'

/** Message for user code where fetching is disabled. */
export const fetchNotAllowed = 'fetch is not allowed here; the operator has not enabled it'

/** Deepest JSON body, in levels. A deeper body is returned as text. */
const depthMax = 500

/**
 * `fetch(url, options)` returns a promise of the parsed JSON body or the text 'ERROR'; it never rejects. `fetchV2(url,
 * options)` returns a promise of `{ url, status, headers, body }`, with the body parsed if it is JSON; it rejects with
 * an Error. Both exist, and fail, when fetching is disabled. Source: packages/docs/behaviour/user-code.md#fetch.
 * @throws RangeError when an option is invalid.
 */
export function fetchPart(options: FetchOptions | GuestFetch | undefined): GuestApiPart {
  const guestFetch = toGuestFetch(options)
  const { concurrency, callsPerBatchMax } = withDefaults(defaultFetchLimits, options)
  const gate = createBatchGate(concurrency, callsPerBatchMax)

  const get = (args: readonly JsonValue[], signal: AbortSignal): Promise<FetchedText> => {
    const [url, requestOptions] = args
    if (url === undefined || url === null || url === '') return Promise.reject(new Error('fetch url is required'))
    return gate.enter(signal, () => guestFetch(String(url), requestOptions, signal))
  }

  return {
    globals: fetchGlobals,
    asyncCalls: {
      fetch: async (args, { signal }) => {
        const fetched = await get(args, signal).catch(() => undefined)
        return (fetched && parsedJson(fetched.text)) ?? { error: true }
      },
      fetchV2: async (args, { signal }) => {
        const { url, status, headers, text } = await get(args, signal)
        const parsed = parsedJson(text)
        return { url, status, headers, body: parsed === undefined ? text : parsed.json }
      },
    },
  }
}

function toGuestFetch(options: FetchOptions | GuestFetch | undefined): GuestFetch {
  if (typeof options === 'function') return options
  return options === undefined ? refuse : createGuestFetch(options)
}

const refuse: GuestFetch = () => Promise.reject(new Error(fetchNotAllowed))

/** Returns JSON in a wrapper, to distinguish the value null from text that is not JSON. */
function parsedJson(text: string): { readonly json: JsonValue } | undefined {
  if (isDeeperThan(text, depthMax)) return undefined
  try {
    return { json: JSON.parse(text) as JsonValue }
  } catch {
    return undefined
  }
}

function isDeeperThan(text: string, levels: number): boolean {
  let depth = 0
  let inString = false
  for (let i = 0; i < text.length; i += 1) {
    const code = text.charCodeAt(i)
    if (inString) {
      if (code === 92) i += 1
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 91 || code === 123) {
      depth += 1
      if (depth > levels) return true
    } else if (code === 93 || code === 125) depth -= 1
  }
  return false
}

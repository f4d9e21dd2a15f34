import type { JsonObject, JsonValue } from '@sluice/core'
import { parseUserAgent } from '#host-parts'
import { userAgentModule } from '../../guest-programs.ts'
import type { GuestApiPart } from '../guest-api-part.ts'
import { forTexts } from '../text-arguments.ts'

/** Longest text that is parsed. Real ones are shorter, and the patterns would be slow on longer ones. */
const lengthMax = 500
/** Most texts in one call. The patterns take some 15 µs per text, up to some 100 µs for a hostile one. */
const textsMax = 1_000

/** `@sluice/user-agent`: finds browser, engine, operating system and device in a User-Agent text. */
export function userAgentPart(): GuestApiPart {
  return {
    modules: { '@sluice/user-agent': userAgentModule },
    syncCalls: {
      userAgent: ([value]) => {
        if (Array.isArray(value)) {
          if (value.length > textsMax) throw new RangeError(`parse takes at most ${textsMax} texts in one call`)
          return forTexts('parse', value.map(orEmpty), parsed)
        }
        return forTexts('parse', orEmpty(value), parsed)
      },
    },
  }
}

// Events often have no user agent; the result is then empty.
const orEmpty = (value: JsonValue | undefined): JsonValue => value ?? ''

function parsed(text: string): JsonObject {
  const { browser, engine, os, device, cpu } = parseUserAgent(text.slice(0, lengthMax))
  return {
    browser: known(browser),
    engine: known(engine),
    os: known(os),
    device: known(device),
    cpu: known(cpu),
  }
}

/** Removes members that the parser left undefined. */
function known(found: object): JsonObject {
  return Object.fromEntries(Object.entries(found).filter(([, value]) => typeof value === 'string' && value !== ''))
}

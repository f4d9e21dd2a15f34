import type { JsonObject, JsonValue } from '@sluice/core'
import { defined } from '@sluice/core/defined'
import { UAParser } from '#inlined/ua-parser-js'
import { valueAt } from '../../rules/key-path.ts'

/** Parts of a user agent; unknown ones are absent. */
export interface UserAgent {
  readonly osName?: string
  readonly osVersion?: string
  readonly browserName?: string
  readonly browserVersion?: string
  readonly deviceModel?: string
  readonly deviceVendor?: string
}

const textLengthMax = 1000 // characters; user agents of browsers have fewer than 400, and the parser consists of regular expressions

const rememberedMax = 500 // entries, half a megabyte at most; a site gets the same few hundred user agents again and again

const remembered = new Map<string, UserAgent>()

/**
 * Parses the text of a User-Agent header. Deterministic. Recent results are cached, because parsing takes longer than
 * the rest of a mapping.
 */
export function userAgent(text: JsonValue | undefined): UserAgent {
  if (typeof text !== 'string' || text.length > textLengthMax) return {}
  let known = remembered.get(text)
  if (!known) {
    if (remembered.size >= rememberedMax) remembered.clear()
    known = parse(text)
    remembered.set(text, known)
  }
  return known
}

/** Creates a function that returns one part of the user agent of an event, for `compute`. */
export function agentPart(part: keyof UserAgent): (event: JsonObject) => string | undefined {
  return (event) => userAgent(valueAt(event, path))[part]
}

const path = ['context', 'userAgent']

function parse(text: string): UserAgent {
  const { os, browser, device } = new UAParser(text).getResult()
  return defined({
    osName: os.name || undefined,
    osVersion: os.version || undefined,
    browserName: browser.name || undefined,
    browserVersion: browser.version || undefined,
    deviceModel: device.model || undefined,
    deviceVendor: device.vendor || undefined,
  })
}

import { formPairs, type JsonObject, type JsonValue, parseUrl, requireUrl } from '@sluice/core'
import { urlGlobals, urlModule } from '../../guest-programs.ts'
import type { GuestApiPart } from '../guest-api-part.ts'
import { forTexts, textArgument } from '../text-arguments.ts'
import { requireAffordableUrls } from './affordable-urls.ts'

const settable = [
  'href',
  'protocol',
  'username',
  'password',
  'host',
  'hostname',
  'port',
  'pathname',
  'search',
  'hash',
] as const

/**
 * The globals URL and URLSearchParams, and `@sluice/url`. The host parses and serializes, with one call each; the guest
 * stores the parts and the list of parameters. Behaviour follows the URL standard, except that hosts of more than 255
 * characters that have to be converted to ASCII are invalid. No call takes more than linear time, because nothing can
 * interrupt the host while it parses.
 */
export function urlPart(): GuestApiPart {
  return {
    modules: { '@sluice/url': urlModule },
    globals: urlGlobals,
    syncCalls: {
      urlParts: ([text, base]) => {
        const url = parsed(textArgument('URL', text), base)
        return url === undefined ? null : partsOf(url)
      },
      urlSet: ([href, key, value]) => {
        const url = new URL(textArgument('URL', href))
        const name = settable.find((known) => known === key)
        const text = textArgument('URL', value)
        // As in the standard, setting a part to an invalid value has no effect, but an invalid href throws.
        if (name === 'href') return partsOf(requireUrl(text))
        const hasHost = name === 'host' || name === 'hostname'
        if (name !== undefined && (!hasHost || parseUrl(`http://${text}`) !== undefined)) url[name] = text
        return partsOf(url)
      },
      urlSetParams: ([href, pairs]) => {
        const url = new URL(textArgument('URL', href))
        url.search = written(pairs)
        return partsOf(url)
      },
      paramsRead: ([text]) => formPairs(textArgument('URLSearchParams', text)).flat(),
      paramsWrite: ([pairs]) => written(pairs),
      urlRecords: ([value, base]) => {
        requireAffordableUrls(value, base)
        return forTexts('parse', value, (text) => {
          const url = parsed(text, base)
          return url === undefined ? null : { ...partsOf(url), params: grouped(url.search) }
        })
      },
    },
  }
}

function parsed(text: string, base: JsonValue | undefined): URL | undefined {
  return parseUrl(text, base === null || base === undefined ? undefined : textArgument('URL', base))
}

function partsOf(url: URL): JsonObject {
  const { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash } = url
  return { href, origin, protocol, username, password, host, hostname, port, pathname, search, hash }
}

/** Serializes a flat list of alternating names and values as a query. */
function written(pairs: JsonValue | undefined): string {
  const params = new URLSearchParams()
  if (!Array.isArray(pairs)) return ''
  for (let i = 0; i + 1 < pairs.length; i += 2) params.append(String(pairs[i]), String(pairs[i + 1]))
  return params.toString()
}

/** Returns a value for a name that occurs once, a list of values for others. */
function grouped(query: string): JsonObject {
  const values = new Map<string, string | string[]>()
  for (const [name, value] of formPairs(query)) {
    const before = values.get(name)
    if (before === undefined) values.set(name, value)
    else if (Array.isArray(before)) before.push(value)
    else values.set(name, [before, value])
  }
  return Object.fromEntries(values)
}

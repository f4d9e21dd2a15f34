import { isJsonObject, type JsonValue } from '@sluice/core'

/** A request of user code and its response. Secrets are replaced by `{{credential NAME}}`. */
export interface FetchRecording {
  readonly method: string
  readonly url: string
  /** Text of the request; absent if it has none. */
  readonly body?: string
  readonly status: number
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON, or the text of a response that is not JSON. */
  readonly reply: JsonValue
}

/** A response given by hand. Default: status 200, JSON. */
export interface FetchReply {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: JsonValue
}

/**
 * Parses a file of recordings.
 * @throws Error that names the entry and the problem.
 */
export function parseRecordings(text: string, file: string): readonly FetchRecording[] {
  let list: unknown
  try {
    list = JSON.parse(text)
  } catch (error) {
    throw new Error(`${file} is not JSON (${error instanceof Error ? error.message : error})`)
  }
  if (!Array.isArray(list)) throw new Error(`${file} is not a list of recorded requests`)
  return list.map((entry: unknown, index) => {
    if (!isJsonObject(entry)) throw new Error(`${file}: entry ${index} is not an object`)
    const { method = 'GET', url, body, status = 200, headers = {}, reply = null } = entry
    if (typeof url !== 'string') throw new Error(`${file}: entry ${index} has no url`)
    if (typeof method !== 'string') throw new Error(`${file}: entry ${index}: method is not text`)
    if (typeof status !== 'number') throw new Error(`${file}: entry ${index}: status is not a number`)
    if (!isJsonObject(headers)) throw new Error(`${file}: entry ${index}: headers is not an object`)
    const named = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])
    return {
      method: method.toUpperCase(),
      url,
      body: body !== undefined ? (typeof body === 'string' ? body : JSON.stringify(body)) : undefined,
      status,
      headers: Object.fromEntries(named),
      reply,
    }
  })
}

/** Returns the text of a response; recorded JSON is serialized again. */
export function replyText(reply: JsonValue): string {
  return typeof reply === 'string' ? reply : JSON.stringify(reply)
}

/** Returns a response as it is recorded: as a JSON object or list if possible, so that people can read and edit it. */
export function toReply(text: string): JsonValue {
  try {
    const value = JSON.parse(text) as JsonValue
    return typeof value === 'object' && value !== null ? value : text
  } catch {
    return text
  }
}

/** Shorter values occur in too many other words to be searched for. */
const secretCharsMin = 4

/** Replaces the values of credentials by their names, both plain and URL-encoded. */
export function withoutSecrets(text: string, credentials: Readonly<Record<string, string>>): string {
  const values = Object.entries(credentials)
    .flatMap(([name, value]) =>
      [value, encodeURIComponent(value), JSON.stringify(value).slice(1, -1)].map((form) => [name, form]),
    )
    .filter(([, form = '']) => form.length >= secretCharsMin)
    .sort(([, a = ''], [, b = '']) => b.length - a.length)
  return values.reduce((masked, [name, form = '']) => masked.replaceAll(form, `{{credential ${name}}}`), text)
}

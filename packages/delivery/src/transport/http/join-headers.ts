import type { Dispatcher } from 'undici'

/** Returns the headers of a reply with one text for each name: values of a repeated header are joined by ', '. */
export function joinHeaders(headers: Dispatcher.ResponseData['headers']): Record<string, string> {
  const joined: Record<string, string> = {}
  for (const name of Object.keys(headers)) {
    const value = headers[name]
    if (value !== undefined) joined[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return joined
}

import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import { printable } from '@sluice/core/printable'
import type { ServerRefusal } from '../ask-server.ts'

/** Errors shown per transformation or library; a server reports up to 20. */
const problemsMax = 3
const eventCharsMax = 200

/** Formats where the server's tests failed: transformation or library, error, location, event; '' without details. */
export function publishProblems({ details }: ServerRefusal): string {
  const { transformations, libraries, breaks } = details
  return [libraries, transformations, breaks]
    .flatMap(listOf)
    .flatMap(({ kind, name, errors }) => [
      `  ${kind} ${printable(String(name))}`,
      ...listOf(errors).slice(0, problemsMax).map(problemText),
    ])
    .join('\n')
}

function problemText({ error, module, line, event }: JsonObject): string {
  const [what = ''] = String(error).split('\n', 1)
  const place = line === undefined ? '' : `\n      at ${printable(String(module))}:${line}`
  const text = JSON.stringify(event) ?? ''
  const cut = text.length > eventCharsMax ? `${text.slice(0, eventCharsMax)}…` : text
  return `    ${printable(what)}${place}${cut && `\n      with ${printable(cut)}`}`
}

function listOf(value: JsonValue | undefined) {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

import type { ConfigurationEntry, ConfigurationResult } from '@sluice/configuration'
import { type Answer, problem } from '../../gate/answer.ts'
import { apiPath } from './shown-entry.ts'

/** Answers with what a change returned, or why it was refused. */
export function toAnswer<T>(result: ConfigurationResult<T>, answerOf: (value: T) => Answer): Answer {
  if (result.ok) return answerOf(result.value)
  const { code, message, details, problems } = result.error
  if (problems === undefined) return problem(code, message, details)
  const listed = problems.map(({ path, value, allowed }) => ({ path: apiPath(path), value, allowed }))
  const lines = listed.map(({ path, value, allowed }) => `${path || 'it'} is ${value}; allowed is: ${allowed}`)
  return problem(code, lines.join('\n'), { ...details, problems: listed })
}

/** Answers with a record and its ETag. */
export function recordAnswer(entry: ConfigurationEntry, body: unknown, status: 200 | 201 = 200): Answer {
  return { status, body, headers: entry.revision === undefined ? {} : { etag: `"${entry.revision}"` } }
}

/** Parses `If-Match`: the revision it names, undefined for `*` or none, or a refusal. */
export function parseIfMatch(header: string | undefined): { readonly ifRevision?: number } | Answer {
  if (header === undefined || header.trim() === '*') return {}
  // Proxies that compress answers make their ETags weak.
  const [, revision] = /^\s*(?:W\/)?"(\d{1,15})"\s*$/.exec(header) ?? []
  if (revision !== undefined) return { ifRevision: Number(revision) }
  return problem('ifMatchInvalid', `If-Match is ${header.slice(0, 100)}; give the ETag of an answer, such as "3"`)
}

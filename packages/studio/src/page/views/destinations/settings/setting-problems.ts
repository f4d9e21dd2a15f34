import { ApiError } from '../../../api/request.ts'

/** Returns what the server found wrong, by the name of the setting; within a list with the row and the member. */
export function settingProblems(error: unknown): ReadonlyMap<string, string> {
  const details = error instanceof ApiError ? Object(error.details) : {}
  const list: readonly { readonly path?: string; readonly allowed?: string }[] = details.problems ?? []
  const problems = new Map<string, string>()
  for (const { path = '', allowed = '' } of list) {
    const place = path.replace(/^config\./, '')
    const end = place.search(/[.[]/)
    const [name, rest] = end < 0 ? [place, ''] : [place.slice(0, end), place.slice(end)]
    const inside = rest.replaceAll(/\[(\d+)\]/g, (_, index) => ` row ${Number(index) + 1}`).replaceAll('.', ', ')
    const text = inside === '' ? `Allowed: ${allowed}` : `In${inside}: allowed is ${allowed}`
    problems.set(name, [problems.get(name), text].filter(Boolean).join('. '))
  }
  return problems
}

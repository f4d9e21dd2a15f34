import type { ErrorObject } from 'ajv'

/** One thing that is wrong with a workspace file. */
export interface Problem {
  /** Location, such as `workspaces[0].sources[1].writeKey`; '' is the whole file. */
  readonly path: string
  /** The value found; `(hidden)` where it may be a secret. */
  readonly value: string
  readonly allowed: string
}

/** Rejection of a workspace file, with all its problems. Nothing was applied. */
export class WorkspaceFileError extends Error {
  override readonly name = 'WorkspaceFileError'
  readonly problems: readonly Problem[]

  constructor(problems: readonly Problem[]) {
    const lines = problems.map(({ path, value, allowed }) => `  ${path || '(file)'}: got ${value}; allowed: ${allowed}`)
    super(
      `the workspace has ${problems.length === 1 ? 'a problem' : `${problems.length} problems`}:\n${lines.join('\n')}`,
    )
    this.problems = problems
  }
}

const shownLengthMax = 80

/** Formats a value for a problem: short, and only simple values, because objects and lists may contain secrets. */
export function shown(value: unknown): string {
  if (value === undefined) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object' && value !== null) return 'an object'
  const text = JSON.stringify(value) ?? typeof value
  return text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text
}

/** Turns a schema error into a problem in words. */
export function schemaProblem(error: ErrorObject): Problem {
  const path = pathOf(error.instancePath)
  const hidden =
    /(^|\.)(accessTokens|credentials|writeKey|sources|settings|code)\b(?!.*\.(id|name|enabled|type|scopes(\[\d+\])?)$)/.test(
      path,
    )
  const simple = typeof error.data !== 'object'
  const value = hidden && simple ? '(hidden)' : shown(error.data)
  const params = error.params as Record<string, unknown>
  const description: unknown = error.parentSchema?.['description']
  switch (error.keyword) {
    case 'required':
      return {
        path: join(path, String(params['missingProperty'])),
        value: 'nothing',
        allowed: 'a value; it is required',
      }
    case 'additionalProperties': {
      const known = Object.keys((error.parentSchema?.['properties'] as object | undefined) ?? {})
      const name = String(params['additionalProperty'])
      return { path: join(path, name), value: 'an unknown member', allowed: `one of ${known.join(', ')}` }
    }
    case 'type':
      return { path, value, allowed: `${String(params['type'])}` }
    default:
      return { path, value, allowed: typeof description === 'string' ? description : (error.message ?? error.keyword) }
  }
}

function join(path: string, member: string): string {
  return path === '' ? member : `${path}.${member}`
}

/** `/workspaces/0/id` → `workspaces[0].id` */
function pathOf(pointer: string): string {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((path, part) => (/^\d+$/.test(part) ? `${path}[${part}]` : join(path, part)), '')
}

import { nearestName } from '@sluice/core/nearest-name'
import type { ErrorObject } from 'ajv'
import { type Problem, shown, unknownMember } from './problem.ts'

/** Turns a schema error into a problem in words. */
export function schemaProblem(error: ErrorObject): Problem {
  const path = pathOf(error.instancePath)
  const simple = typeof error.data !== 'object'
  const value = mayBeSecret(path) && simple ? '(hidden)' : shown(error.data)
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
      const nearest = nearestName(name, known)
      const hint = nearest === undefined ? '' : `${nearest} (similar), or `
      return { path: join(path, name), value: unknownMember, allowed: `${hint}one of ${known.join(', ')}` }
    }
    case 'type':
      return { path, value, allowed: typeof description === 'string' ? description : String(params['type']) }
    case 'enum':
      return { path, value, allowed: `one of ${(params['allowedValues'] as readonly unknown[]).join(', ')}` }
    default:
      return { path, value, allowed: typeof description === 'string' ? description : (error.message ?? error.keyword) }
  }
}

/** Returns the first problem of each location: the others follow from it. */
export function firstPerPath(problems: readonly Problem[]): readonly Problem[] {
  const seen = new Set<string>()
  return problems.filter(({ path }) => seen.size < seen.add(path).size)
}

/** Whether a value may be a secret, also when it is in the place of the object that should have it. */
function mayBeSecret(path: string): boolean {
  if (/(^|\.)(sources|destinations)(\[\d+\])?$|(^|\.)(writeKey|formerWriteKey)\b/.test(path)) return true
  return /(^|\.)(accessTokens|credentials|settings|code)\b(?!.*\.(id|name|enabled|type|scopes(\[\d+\])?)$)/.test(path)
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

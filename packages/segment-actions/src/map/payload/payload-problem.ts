import type { ErrorObject } from 'ajv'

/** What a destination does not accept in a payload. Without the value, which may be personal data. */
export interface PayloadProblem {
  /** Such as `products[0].price`. '' for the payload as a whole. */
  readonly path: string
  readonly allowed: string
}

const problemsMax = 20 // problems of a payload; a message with more is not read

/** Returns the problems of a payload, one for each path, at most 20. */
export function payloadProblems(errors: readonly ErrorObject[]): readonly PayloadProblem[] {
  const problems = new Map<string, PayloadProblem>()
  for (const { keyword, instancePath, params, message = keyword } of errors) {
    // Follows from the errors of the other keyword, which say what is wrong.
    if (keyword === 'if') continue
    const keys = instancePath.split('/').slice(1).map(unescapePointer)
    if (keyword === 'required') keys.push(String(params['missingProperty']))
    const path = pathText(keys)
    const allowed = keyword === 'required' ? 'is required' : keyword === 'enum' ? oneOf(params) : message
    if (!problems.has(path) && problems.size < problemsMax) problems.set(path, { path, allowed })
  }
  return [...problems.values()]
}

/** Returns a message that names the fields: `The payload of sendEvent is invalid: email is required.` */
export function payloadMessage(action: string, problems: readonly PayloadProblem[]): string {
  const texts = problems.map(({ path, allowed }) => `${path || 'it'} ${allowed}`)
  return `The payload of ${action} is invalid: ${texts.join('; ')}.`
}

const choicesMax = 10 // choices of a field that a message lists

function oneOf({ allowedValues }: ErrorObject['params']): string {
  const values: readonly unknown[] = Array.isArray(allowedValues) ? allowedValues : []
  const more = values.length > choicesMax ? ', …' : ''
  return `must be one of ${values.slice(0, choicesMax).map(String).join(', ')}${more}`
}

function unescapePointer(key: string): string {
  return key.replaceAll('~1', '/').replaceAll('~0', '~')
}

function pathText(keys: readonly string[]): string {
  return keys.reduce((path, key) => (/^\d+$/.test(key) ? `${path}[${key}]` : path === '' ? key : `${path}.${key}`), '')
}

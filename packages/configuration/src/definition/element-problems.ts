import { Ajv } from 'ajv'
import type { Problem } from './problem.ts'
import { firstPerPath, schemaProblem } from './schema-problem.ts'
import { AccessToken, Connection, Destination, Source } from './workspace-schema.ts'

const ajv = new Ajv({ allErrors: true, verbose: true, validateSchema: false })
const validators = {
  sources: ajv.compile(Source),
  destinations: ajv.compile(Destination),
  connections: ajv.compile(Connection),
  accessTokens: ajv.compile(AccessToken),
}

/** Lists of a workspace whose elements can be checked by themselves. */
export type ElementList = keyof typeof validators

/** Returns what is wrong with the form of one element of a workspace. Paths are within the element; shows no secrets. */
export function elementProblems(list: ElementList, element: unknown): readonly Problem[] {
  const validate = validators[list]
  if (validate(element)) return []
  const place = `workspaces[0].${list}[0]`
  const problems = (validate.errors ?? []).map((error) =>
    // What may be shown depends on the whole place.
    schemaProblem({ ...error, instancePath: `/workspaces/0/${list}/0${error.instancePath}` }),
  )
  return firstPerPath(problems).map((problem) => ({ ...problem, path: problem.path.slice(place.length + 1) }))
}

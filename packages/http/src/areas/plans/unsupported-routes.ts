import Type from 'typebox'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, problem } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import { area } from './plan-schemas.ts'

const Empty = Type.Object(
  {
    data: Type.Array(Type.Unknown(), { maxItems: 0 }),
    paging: Type.Object({ total: Type.Literal(0) }, { additionalProperties: false }),
  },
  { additionalProperties: false },
)
const Anything = Type.Object({}, { additionalProperties: true })

/** What RudderStack has and Sluice has not, with the reason. */
const features = [
  { list: 'retl-sources', Name: 'RetlSource', what: 'reverse ETL: Sluice does not read warehouses on a schedule' },
  {
    list: 'retl-connections',
    Name: 'RetlConnection',
    what: 'reverse ETL: Sluice does not read warehouses on a schedule',
  },
  { list: 'data-graphs', Name: 'DataGraph', what: 'data graphs' },
  { list: 'accounts', Name: 'Account', what: 'accounts: credentials are settings of each destination' },
] as const

/** Creates routes for what there is none of: lists are empty, so that clients go on, and what would change one is refused. */
export function unsupportedRoutes(gate: TokenGate): readonly Route[] {
  return features.flatMap(({ list, Name, what }) => {
    const reason = `Sluice has no ${what}; leave it out of the project`
    const refused = { summary: `Refused: Sluice has no ${what}`, area, scopes: ['write'], responses: {} } as const
    const refusal = { errors: ['featureUnsupported'], handle: () => problem('featureUnsupported', reason) } as const
    return [
      gate.route({
        method: 'get',
        path: `/v2/${list}`,
        operationId: `list${Name}s`,
        summary: `An empty list: Sluice has no ${what}`,
        area,
        scopes: ['read'],
        responses: { 200: { description: 'None.', schema: Empty } },
        errors: [],
        handle: () => answer({ data: [], paging: { total: 0 } }),
      }),
      gate.route({
        ...refused,
        ...refusal,
        method: 'post',
        path: `/v2/${list}`,
        operationId: `create${Name}`,
        body: Anything,
      }),
      gate.route({
        method: 'get',
        path: `/v2/${list}/{id}`,
        operationId: `read${Name}`,
        summary: `Refused: Sluice has no ${what}`,
        area,
        scopes: ['read'],
        responses: {},
        errors: ['recordUnknown'],
        handle: () => problem('recordUnknown', reason),
      }),
      gate.route({
        ...refused,
        ...refusal,
        method: 'put',
        path: `/v2/${list}/{id}`,
        operationId: `change${Name}`,
        body: Anything,
      }),
      gate.route({
        ...refused,
        ...refusal,
        method: 'put',
        path: `/v2/${list}/{id}/external-id`,
        operationId: `name${Name}`,
        body: Anything,
      }),
      gate.route({ ...refused, ...refusal, method: 'delete', path: `/v2/${list}/{id}`, operationId: `delete${Name}` }),
    ]
  })
}

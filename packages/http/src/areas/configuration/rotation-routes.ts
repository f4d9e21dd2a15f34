import type { Configuration } from '@sluice/configuration'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import type { Route } from '../../routing/route.ts'
import { area, etag, ifMatch, one, RotationBody, SourceRecord, ValidateQuery } from './configuration-schemas.ts'
import { shownSource } from './shown-entry.ts'
import { parseIfMatch, recordAnswer, toAnswer } from './to-answer.ts'

const daySeconds = 24 * 3_600

/** Creates the route that gives a source another write key. */
export function rotationRoutes(gate: TokenGate, configuration: Configuration): readonly Route[] {
  return [
    gate.route({
      method: 'post',
      path: '/v2/sources/{id}/rotate-write-key',
      operationId: 'rotateWriteKey',
      summary: 'Give a source another write key; the present one stays valid for a while',
      area,
      scopes: ['write', 'operate'],
      query: ValidateQuery,
      headers: ifMatch,
      body: RotationBody,
      responses: {
        200: { description: 'The source, with both keys.', headers: etag, schema: one('source', SourceRecord) },
      },
      errors: [
        'recordUnknown',
        'recordChanged',
        'managedByFile',
        'configurationBusy',
        'configurationInvalid',
        'ifMatchInvalid',
      ],
      handle: async (call) => {
        const condition = parseIfMatch(call.header('if-match'))
        if ('status' in condition) return condition
        const { validForSeconds = daySeconds } = call.body
        const validateOnly = call.query.validate === true
        const rotated = await configuration.rotateWriteKey(call.workspace.id, call.param('id'), {
          validForMs: validForSeconds * 1_000,
          validateOnly,
          ...condition,
        })
        // A key that was only made up for a check never becomes valid.
        const viewer = validateOnly ? { ...call, allows: () => false } : call
        return toAnswer(rotated, (entry) => recordAnswer(entry, { source: shownSource(entry, viewer) }))
      },
    }),
  ]
}

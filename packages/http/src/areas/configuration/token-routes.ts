import type { Configuration, ConfigurationEntry } from '@sluice/configuration'
import { defaultScopes, type JsonObject } from '@sluice/core'
import type { TokenGate } from '../../gate/access/token-gate.ts'
import { answer, noContent } from '../../gate/answer.ts'
import type { Route } from '../../routing/route.ts'
import {
  area,
  etag,
  ifMatch,
  listOf,
  one,
  PageQuery,
  TokenBody,
  TokenRecord,
  ValidateQuery,
} from './configuration-schemas.ts'
import { pageOf } from './page.ts'
import { shownEntry } from './shown-entry.ts'
import { parseIfMatch, recordAnswer, toAnswer } from './to-answer.ts'

const path = '/v2/tokens'

/** Creates the routes that list, create and revoke access tokens. */
export function tokenRoutes(gate: TokenGate, configuration: Configuration): readonly Route[] {
  return [
    gate.route({
      method: 'get',
      path,
      operationId: 'listTokens',
      summary: 'The access tokens of the workspace, without their texts',
      area,
      scopes: ['admin'],
      query: PageQuery,
      responses: { 200: { description: 'Names and scopes.', schema: listOf('tokens', TokenRecord) } },
      errors: [],
      handle: ({ workspace, query }) => {
        const { entries, paging } = pageOf(path, configuration.list(workspace.id, 'token'), query)
        return answer({ tokens: entries.map(shown), paging })
      },
    }),
    gate.route({
      method: 'post',
      path,
      operationId: 'createToken',
      summary: 'Create an access token; only this answer shows it',
      area,
      scopes: ['admin'],
      query: ValidateQuery,
      body: TokenBody,
      responses: {
        200: { description: 'What would be created, with validate=true.', schema: one('token', TokenRecord) },
        201: { description: 'The token, with its text.', headers: etag, schema: one('token', TokenRecord) },
      },
      errors: ['recordTaken', 'managedByFile', 'configurationInvalid', 'configurationFull', 'configurationBusy'],
      handle: async ({ workspace, query, body }) => {
        const validateOnly = query.validate === true
        return toAnswer(await configuration.createToken(workspace.id, body, { validateOnly }), ({ entry, token }) =>
          // A token that was only checked is not valid, so its text is of no use.
          validateOnly
            ? recordAnswer(entry, { token: shown(entry) })
            : recordAnswer(entry, { token: { ...shown(entry), token } }, 201),
        )
      },
    }),
    gate.route({
      method: 'delete',
      path: `${path}/{id}`,
      operationId: 'deleteToken',
      summary: 'Revoke an access token by its id or name; one that is gone already is fine',
      area,
      scopes: ['admin'],
      query: ValidateQuery,
      headers: ifMatch,
      responses: { 204: { description: 'It is not accepted any more.' } },
      errors: ['recordChanged', 'managedByFile', 'configurationBusy', 'ifMatchInvalid'],
      handle: async ({ workspace, param, query, header }) => {
        const condition = parseIfMatch(header('if-match'))
        if ('status' in condition) return condition
        const given = param('id')
        const tokens = configuration.list(workspace.id, 'token')
        const found = tokens.find(({ id }) => id === given) ?? tokens.find(({ body }) => body['name'] === given)
        if (found === undefined) return noContent
        const change = { action: 'delete', kind: 'token', id: found.id, ...condition } as const
        const options = { validateOnly: query.validate === true }
        return toAnswer(await configuration.change(workspace.id, [change], options), () => noContent)
      },
    }),
  ]
}

function shown(entry: ConfigurationEntry): JsonObject {
  const { name, scopes } = entry.body
  return shownEntry(entry, { name, scopes: scopes ?? [...defaultScopes] })
}

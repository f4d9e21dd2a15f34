import type { Configuration, ConfigurationEntry } from '@sluice/configuration'
import { defaultScopes, type JsonObject } from '@sluice/core'
import { answer, noContent } from '../../gate/answer.ts'
import type { TokenGate } from '../../gate/token-gate.ts'
import type { Route } from '../../routing/route.ts'
import { area, listOf, one, PageQuery, TokenBody, TokenRecord } from './configuration-schemas.ts'
import { pageOf } from './page.ts'
import { shownEntry } from './shown-entry.ts'
import { toAnswer } from './to-answer.ts'

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
      body: TokenBody,
      responses: { 201: { description: 'The token, with its text.', schema: one('token', TokenRecord) } },
      errors: ['recordTaken', 'managedByFile', 'configurationInvalid', 'configurationFull', 'configurationBusy'],
      handle: async ({ workspace, body }) =>
        toAnswer(await configuration.createToken(workspace.id, body), ({ entry, token }) => ({
          status: 201,
          body: { token: { ...shown(entry), token } },
        })),
    }),
    gate.route({
      method: 'delete',
      path: `${path}/{id}`,
      operationId: 'deleteToken',
      summary: 'Revoke an access token by its id or name; one that is gone already is fine',
      area,
      scopes: ['admin'],
      responses: { 204: { description: 'It is not accepted any more.' } },
      errors: ['managedByFile', 'configurationBusy'],
      handle: async ({ workspace, param }) => {
        const given = param('id')
        const tokens = configuration.list(workspace.id, 'token')
        const found = tokens.find(({ id }) => id === given) ?? tokens.find(({ body }) => body['name'] === given)
        if (found === undefined) return noContent
        const deleted = await configuration.change(workspace.id, [{ action: 'delete', kind: 'token', id: found.id }])
        return toAnswer(deleted, () => noContent)
      },
    }),
  ]
}

function shown(entry: ConfigurationEntry): JsonObject {
  const { name, scopes } = entry.body
  return shownEntry(entry, { name, scopes: scopes ?? [...defaultScopes] })
}

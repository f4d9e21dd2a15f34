import { createHash } from 'node:crypto'
import { type AccessToken, defaultScopes } from '@sluice/core'
import type { Collected, ParseContext } from './parse-context.ts'
import { shown } from './problems/problem.ts'
import type { WorkspaceForm } from './workspace-schema.ts'

/** Fewest characters of a token that a variable sets: shorter ones can be guessed. */
export const tokenLengthMin = 16

type TokenDefinition = NonNullable<WorkspaceForm['accessTokens']>[number]

/** Returns the access token of a definition, with its hash instead of the token. */
export function accessTokenOf(
  { name, token, scopes }: TokenDefinition,
  path: string,
  { env, problems }: Collected,
): AccessToken {
  const sha256 = hashOf(token, env)
  if (sha256 === undefined)
    problems.push({ path, value: shown(token), allowed: 'the name of an environment variable that is set' })
  else if (isShort(token, env))
    problems.push({
      path,
      value: `${shown(token)}, whose value is short enough to be guessed`,
      allowed: `a variable with ${tokenLengthMin} characters or more; sluice token create makes a token`,
    })
  return { name, scopes: scopes ?? defaultScopes, sha256: sha256 ?? '' }
}

/** Whether a token comes from a variable and is too short. Others are known by their hash only. */
function isShort(token: string, env: ParseContext['env']): boolean {
  const value = token.startsWith('env:') ? env[token.slice('env:'.length)] : undefined
  return value !== undefined && value.length < tokenLengthMin
}

/** Returns the hash of a token of a workspace file, undefined when its variable is not set. */
export function hashOf(token: string, env: ParseContext['env']): string | undefined {
  if (token.startsWith('sha256:')) return token.slice('sha256:'.length)
  const value = env[token.slice('env:'.length)]
  return value ? createHash('sha256').update(value).digest('hex') : undefined
}

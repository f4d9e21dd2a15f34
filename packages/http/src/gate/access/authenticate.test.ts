import type { AccessToken, Workspace } from '@sluice/core'
import { expect, it } from 'vitest'
import { authenticate } from './authenticate.ts'
import { sha256 } from './same-secret.ts'

const tokenOf = (secret: string): AccessToken => ({
  name: `token ${secret}`,
  scopes: ['read'],
  sha256: sha256(secret).toString('hex'),
})
const workspaceOf = (id: string, ...accessTokens: readonly AccessToken[]): Workspace => ({
  id,
  name: id,
  sources: [],
  destinations: [],
  connections: [],
  accessTokens,
})
const workspaces = [workspaceOf('a', tokenOf('a1'), tokenOf('a2')), workspaceOf('b', tokenOf('b1'))]
const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

it('a token leads to its own workspace, whichever of its tokens it is', () => {
  const found = ['a1', 'a2', 'b1'].map((token) => authenticate(`Bearer ${token}`, workspaces))
  expect(found.map((each) => [each?.workspace.id, each?.token.name])).toEqual([
    ['a', 'token a1'],
    ['a', 'token a2'],
    ['b', 'token b1'],
  ])
})

it('a token works as the password of any user name, which is kept', () => {
  expect(authenticate(basic('ana:b1'), workspaces)).toMatchObject({ user: 'ana', workspace: { id: 'b' } })
})

it('nothing but the whole token works', () => {
  const hash = sha256('a1').toString('hex')
  for (const header of [undefined, 'Bearer a', 'Bearer a12', `Bearer ${hash}`, basic('a1:'), basic('a1:x')])
    expect(authenticate(header, workspaces)).toBeUndefined()
})

it('a stored hash that is none lets no one in', () => {
  const broken = workspaceOf('c', { name: 'broken', scopes: ['read'], sha256: '' }, { ...tokenOf('x'), sha256: 'zz' })
  for (const header of ['Bearer x', basic('u:')]) expect(authenticate(header, [broken])).toBeUndefined()
})

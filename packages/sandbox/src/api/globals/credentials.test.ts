import { afterAll, describe, expect, it } from 'vitest'
import { engineNames, openGuest } from '../../open-guest.node.ts'
import { joinParts } from '../guest-api-part.ts'
import { credentialsPart } from './credentials.ts'

describe.each(engineNames)('in %s:', async (engine) => {
  const api = joinParts([credentialsPart()])
  const guest = await openGuest(engine, api, { token: 'a secret', empty: null })
  afterAll(() => guest.close())
  const run = (code: string) => guest.run(`globalThis.answer = ${code}`)

  describe('getCredential', () => {
    it('returns the value of a credential', async () => {
      expect(await run("[getCredential('token'), getCredential('token', 'more')]")).toEqual(['a secret', 'a secret'])
      expect(await run("getCredential('empty') === null")).toBe(true)
    })
    for (const key of ["'missing'", "'constructor'", "'__proto__'", "'toString'", '5', '{}', "''"]) {
      it(`returns undefined for ${key}`, async () => {
        expect(await run(`getCredential(${key}) === undefined`)).toBe(true)
      })
    }
    for (const key of ['', 'null', 'undefined']) {
      it(`throws for the key ${key || 'that is missing'}`, async () => {
        const caught = `(() => { try { getCredential(${key}) } catch (e) { return [e instanceof TypeError, e.message] } })()`
        expect(await run(caught)).toEqual([true, 'Key should be valid and defined'])
      })
    }
    it('returns undefined when the run has no credentials', async () => {
      const bare = await openGuest(engine, api)
      expect(await bare.run("globalThis.answer = getCredential('token') === undefined")).toBe(true)
      bare.close()
      expect(() => api.syncCalls['credential']?.(['token'], {})).toThrow('not while modules are loaded')
    })
  })
})

import { createManualClock, createSeededRandom } from '@sluice/core'
import { afterAll, describe, expect, it } from 'vitest'
import { engineNames, openGuest } from '../open-guest.node.ts'
import { createGuestApi } from './create-guest-api.ts'

describe.each(engineNames)('in %s:', async (engine) => {
  const api = createGuestApi({ clock: createManualClock(), random: createSeededRandom(1) })
  const guest = await openGuest(engine, api, { token: 't' })
  afterAll(() => guest.close())

  describe('the guest API', () => {
    it('has all modules and globals', async () => {
      expect(Object.keys(api.modules).sort()).toEqual([
        '@rs/encrypt/v1',
        '@rs/hash/v1',
        '@rs/localizeAppleDeviceModel/v1',
        '@rs/userAgentParser/v1',
        '@sluice/encoding',
        '@sluice/hash',
        '@sluice/pii',
        '@sluice/url',
        '@sluice/user-agent',
        '@sluice/uuid',
      ])
      const names = [
        'URL',
        'URLSearchParams',
        'TextEncoder',
        'TextDecoder',
        'atob',
        'btoa',
        'structuredClone',
        'queueMicrotask',
        'fetch',
        'fetchV2',
        'getCredential',
        'geolocation',
      ]
      const code = `globalThis.answer = ${JSON.stringify(names)}.map((name) => [typeof globalThis[name], Object.keys(globalThis).includes(name)])`
      expect(await guest.run(code)).toEqual(names.map(() => ['function', false]))
    })

    it('returns the same result for the same input', async () => {
      const code = `import { mask } from '@sluice/pii'; import { sha256 } from '@sluice/hash'; import { parse } from '@sluice/user-agent'
      globalThis.answer = [mask('a@b.de 10.0.0.1'), sha256('x'), parse('curl/8'), new URL('http://a/?b').href, getCredential('token')]`
      expect(await guest.run(code)).toEqual(await guest.run(code))
    })

    it('does not use built-ins that user code may overwrite', async () => {
      const spoilt = await openGuest(engine, api)
      await spoilt.run(`for (const key of Reflect.ownKeys(globalThis)) if (typeof globalThis[key] === 'function' && /^[A-Z]/.test(key) && !/^(URL|URLSearchParams|Text.*|Object|Function)$/.test(key))
      try { for (const own of Reflect.ownKeys(globalThis[key].prototype ?? {})) try { if (typeof globalThis[key].prototype[own] === 'function' && !['constructor', 'next', 'then'].includes(own)) globalThis[key].prototype[own] = () => { throw 1 } } catch {} } catch {}`)
      const code = `import { mask } from '@sluice/pii'; import { md5 } from '@sluice/hash'; import { v5 } from '@sluice/uuid'
      globalThis.answer = { mask: mask('a@b.de'), md5: md5(''), v5: v5('a', 'dns'), atob: atob('YQ=='), url: new URL('/b?c=d', 'http://a').searchParams.get('c'),
        text: new TextDecoder().decode(new TextEncoder().encode('é')), clone: structuredClone({ a: [1] }), credential: getCredential('x') === undefined,
        fetch: await fetch('http://a') }`
      expect(await spoilt.run(code)).toEqual({
        mask: '[email]',
        md5: 'd41d8cd98f00b204e9800998ecf8427e',
        v5: '4f3f2898-69e3-5a0d-820a-c4e87987dbce',
        atob: 'a',
        url: 'd',
        text: 'é',
        clone: { a: [1] },
        credential: true,
        fetch: 'ERROR',
      })
      spoilt.close()
    })

    it('gives user code no way to call the host directly', async () => {
      expect(await guest.run('globalThis.answer = [typeof callHost, typeof callHostLater]')).toEqual([
        'undefined',
        'undefined',
      ])
    })
  })

  it('a URL in a returned value is refused by the binary format of the engine, so that it becomes its text', async () => {
    const code =
      "globalThis.answer = [JSON.stringify({ u: new URL('http://a/'), p: new URLSearchParams('a') }), new URL('http://a') instanceof WeakMap]"
    expect(await guest.run(code)).toEqual(['{"u":"http://a/","p":{}}', false])
  })
})

import { constants, createHash, generateKeyPairSync, privateDecrypt, publicEncrypt } from 'node:crypto'
import { createSeededRandom, systemClock } from '@sluice/core'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { engineNames, openGuest } from '../../open-guest.node.ts'
import { createGuestApi } from '../create-guest-api.ts'

describe.each(engineNames)('in %s:', async (engine) => {
  const guest = await openGuest(engine, createGuestApi({ clock: systemClock, random: createSeededRandom(1) }))
  afterAll(() => guest.close())

  /** Runs a transformation as RudderStack's documentation shows it, and returns what it makes of an event. */
  const transformed = (code: string, event: unknown): Promise<unknown> =>
    guest.run(
      `${code.replace('export function', 'function')}; globalThis.answer = transformEvent(${JSON.stringify(event)})`,
    )
  const run = (imports: string, code: string) => guest.run(`${imports}; globalThis.answer = ${code}`)

  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const small = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const other = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const pem = {
    public: keys.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
    private: keys.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    smallPublic: small.publicKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
    smallPrivate: small.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString(),
  }
  const withPadding = { padding: constants.RSA_PKCS1_PADDING }
  /** Decrypts with the padding as it is: Node removes that of PKCS #1 v1.5 only where OpenSSL hides its errors. */
  function decrypted(base64: string): string {
    const raw = { key: keys.privateKey, padding: constants.RSA_NO_PADDING }
    const block = privateDecrypt(raw, Buffer.from(base64, 'base64'))
    expect([...block.subarray(0, 2)]).toEqual([0, 2])
    const end = block.indexOf(0, 2)
    expect(end).toBeGreaterThanOrEqual(10)
    return block.subarray(end + 1).toString()
  }
  const crypt = (key: string, call: string): Promise<unknown> =>
    run(
      `import { JSEncrypt } from '@rs/encrypt/v1'; const crypt = new JSEncrypt(); crypt.setKey(${JSON.stringify(key)})`,
      `crypt.${call}`,
    )

  describe('@rs/encrypt/v1', () => {
    it('takes a public and a private key by their own methods too', async () => {
      const code = (key: string, call: string) =>
        run(
          "import { JSEncrypt } from '@rs/encrypt/v1'",
          `(() => { const crypt = new JSEncrypt(); ${key}; return ${call} })()`,
        )
      const hidden = await code(`crypt.setPublicKey(${JSON.stringify(pem.public)})`, "crypt.encrypt('a')")
      expect(await code(`crypt.setPrivateKey(${JSON.stringify(pem.private)})`, `crypt.decrypt('${hidden}')`)).toBe('a')
    })
    it('runs the documented transformations: encrypt with the public key, decrypt with the private one', async () => {
      const code = (key: string, call: string) => `import { JSEncrypt } from "@rs/encrypt/v1";
      export function transformEvent(event, metadata) {
        const email = event.context?.traits?.email;
        if (email) {
          const crypt = new JSEncrypt();
          crypt.setKey(\`${key}\`);
          event.context.traits.email = crypt.${call}(email);
        }
        return event;
      }`
      const hidden = await transformed(code(pem.public, 'encrypt'), { context: { traits: { email: 'é@shop.test' } } })
      const { email } = (hidden as { context: { traits: { email: string } } }).context.traits
      expect(decrypted(email)).toBe('é@shop.test')
      expect(await transformed(code(pem.private, 'decrypt'), hidden)).toEqual({
        context: { traits: { email: 'é@shop.test' } },
      })
    })

    it('reads keys in all usual forms, and without the lines around them', async () => {
      const bare = (text: string) => text.replace(/-----[^-]+-----|\n/g, '')
      for (const [publicKey, privateKey] of [
        [pem.public, pem.private],
        [pem.smallPublic, pem.smallPrivate],
        [bare(pem.public), bare(pem.private)],
        [pem.private, pem.private],
      ] as const) {
        const text = await crypt(publicKey, "encrypt('a@b.test')")
        expect(await crypt(privateKey, `decrypt('${text}')`)).toBe('a@b.test')
      }
    })

    it('decrypts what others encrypted', async () => {
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'grapheme', maxLength: 20 }), async (text) => {
          const bytes = publicEncrypt({ key: keys.publicKey, ...withPadding }, Buffer.from(text))
          expect(await crypt(pem.private, `decrypt('${bytes.toString('base64')}')`)).toBe(text)
        }),
        { numRuns: 10 },
      )
    })

    it('makes another text each time', async () => {
      expect(await crypt(pem.public, "encrypt('a')")).not.toBe(await crypt(pem.public, "encrypt('a')"))
    })

    it('returns false for a missing or wrong key, a text that is too long, and what is not encrypted', async () => {
      const foreign = publicEncrypt({ key: other.publicKey, ...withPadding }, Buffer.from('a')).toString('base64')
      const elliptic = generateKeyPairSync('ec', { namedCurve: 'P-256' })
      const ecKey = elliptic.publicKey.export({ type: 'spki', format: 'pem' }).toString()
      const answers = await Promise.all([
        crypt('', "encrypt('a')"),
        crypt('no key', "encrypt('a')"),
        crypt(ecKey, "encrypt('a')"),
        crypt('A'.repeat(6_000), "encrypt('a')"),
        crypt(pem.public, `encrypt('${'x'.repeat(246)}')`),
        crypt(pem.public, "decrypt('a')"),
        crypt(pem.private, "decrypt('nonsense')"),
        crypt(pem.smallPrivate, `decrypt('${foreign}')`),
        crypt(pem.smallPrivate, `decrypt('${Buffer.alloc(128, 255).toString('base64')}')`),
      ])
      expect(answers).toEqual(answers.map(() => false))
      expect(await crypt(pem.public, `encrypt('${'x'.repeat(245)}')`)).toHaveLength(344)
    })

    it('no key makes the host calculate for longer than user code may', async () => {
      // 4,096 bits with the largest numbers that a key may have.
      const large = generateKeyPairSync('rsa', { modulusLength: 4096 })
      const key = large.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString()
      const text = publicEncrypt({ key: large.publicKey, ...withPadding }, Buffer.from('a')).toString('base64')
      expect(await crypt(key, `decrypt('${text}')`)).toBe('a')
    })
  })

  describe('@rs/hash/v1', () => {
    it('runs the documented transformation', async () => {
      const code = `import { sha256 } from "@rs/hash/v1";
      export function transformEvent(event, metadata) {
        const email = event.context?.traits?.email;
        if (email) event.context.traits.email = sha256(email);
        return event;
      }`
      expect(await transformed(code, { context: { traits: { email: 'a@b.test' } } })).toEqual({
        context: { traits: { email: createHash('sha256').update('a@b.test').digest('hex') } },
      })
    })

    it('has md5 and cyrb53', async () => {
      expect(await run("import { md5 } from '@rs/hash/v1'", "md5('abc')")).toBe('900150983cd24fb0d6963f7d28e17f72')
      // The vectors of its author.
      expect(
        await run(
          "import { cyrb53 } from '@rs/hash/v1'",
          "[cyrb53('a'), cyrb53('b'), cyrb53('revenge'), cyrb53('revenue')]",
        ),
      ).toEqual([7929297801672961, 8684336938537663, 4051478007546757, 8309097637345594])
      expect(await run("import { cyrb53 } from '@rs/hash/v1'", "cyrb53('revenue', 1)")).toBe(8697026808958300)
    })
  })

  const pixel =
    'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Mobile Safari/537.36'

  describe('@rs/userAgentParser/v1', () => {
    it('runs the documented transformation', async () => {
      const code = `import { UAParser } from "@rs/userAgentParser/v1";
      export function transformEvent(event, metadata) {
        const userAgent = event.context?.userAgent;
        if (userAgent) {
          const parser = new UAParser();
          const parsedUserAgent = parser.setUA(userAgent).getResult();
          event.context.parsedUserAgent = parsedUserAgent;
        }
        return event;
      }`
      expect(await transformed(code, { context: { userAgent: pixel } })).toMatchObject({
        context: {
          parsedUserAgent: {
            ua: pixel,
            browser: { name: 'Chrome', version: '126.0.0.0', major: '126' },
            engine: { name: 'Blink' },
            os: { name: 'Android', version: '14' },
            device: { vendor: 'Google', model: 'Pixel 8', type: 'mobile' },
            cpu: {},
          },
        },
      })
    })

    it('answers each question of ua-parser-js, also without new', async () => {
      const names = ['getBrowser', 'getCPU', 'getDevice', 'getEngine', 'getOS', 'getUA', 'getResult']
      const calls = names.map((name) => `new UAParser('${pixel}').${name}()`)
      const imports = "import { UAParser } from '@rs/userAgentParser/v1'"
      const [browser, cpu, device, engine, os, ua, result] = (await run(imports, `[${calls}]`)) as object[]
      expect(result).toEqual({ ua, browser, engine, os, device, cpu })
      expect(await run(imports, `UAParser('${pixel}')`)).toEqual(result)
      expect(await run(imports, 'new UAParser(undefined).getResult()')).toEqual({
        ua: '',
        browser: {},
        engine: {},
        os: {},
        device: {},
        cpu: {},
      })
    })
  })

  describe('@rs/localizeAppleDeviceModel/v1', () => {
    const named = (os: unknown, model: unknown) =>
      transformed(
        `import { getLocalizedDeviceModel } from "@rs/localizeAppleDeviceModel/v1";
      export function transformEvent(event, metadata) {
        const localizedDeviceModel = getLocalizedDeviceModel(event);
        if(localizedDeviceModel && event?.context?.device?.model) {
          event.context.device.model = localizedDeviceModel;
        }
        return event.context.device.model ?? null;
      }`,
        { context: { os: { name: os }, device: { model } } },
      )
    const cases = [
      ['iOS', 'iPhone13,1', 'iPhone 12 Mini'],
      [' ios ', 'iPhone10,6', 'iPhone X'],
      ['iPadOS', 'iPad8,9', 'iPad Pro'],
      ['watchOS', 'Watch6,18', 'Apple Watch Ultra'],
      ['tvOS', 'AppleTV14,1', 'Apple TV 4K 3'],
      ['iOS', 'iPhone99,9', 'iPhone99,9'],
      ['iOS', 'constructor', 'constructor'],
      ['Android', 'iPhone13,1', 'iPhone13,1'],
      [undefined, 'iPhone13,1', 'iPhone13,1'],
      [7, 'iPhone13,1', 'iPhone13,1'],
      ['iOS', undefined, null],
      ['iOS', 5, 5],
    ] as const
    for (const [os, model, want] of cases)
      it(`names ${JSON.stringify(model)} of ${JSON.stringify(os)} ${JSON.stringify(want)}`, async () => {
        expect(await named(os, model)).toBe(want)
      })
  })

  it('do not use built-ins that user code may overwrite', async () => {
    const spoilt = await openGuest(engine, createGuestApi({ clock: systemClock, random: createSeededRandom(1) }))
    await spoilt.run(
      "for (const name of ['charCodeAt', 'trim', 'toLowerCase']) String.prototype[name] = () => { throw 1 }; Math.imul = () => { throw 1 }",
    )
    expect(
      await spoilt.run(`import { cyrb53 } from '@rs/hash/v1'; import { UAParser } from '@rs/userAgentParser/v1'
      import { getLocalizedDeviceModel } from '@rs/localizeAppleDeviceModel/v1'
      globalThis.answer = [cyrb53('a'), UAParser('').ua, getLocalizedDeviceModel({ context: { os: { name: 'iOS' }, device: { model: 'iPhone9,1' } } })]`),
    ).toEqual([7929297801672961, '', 'iPhone 7'])
    spoilt.close()
  })
})

import { resolve } from 'node:path'
import { createManualClock, createSeededRandom } from '@sluice/core'
import ts from 'typescript'
import { describe, expect, it } from 'vitest'
import { metadataKeys } from '../metadata-keys.ts'
import { openBareGuest } from './bare-guest.ts'
import { createGuestApi } from './create-guest-api.ts'

const typesFolder = resolve(import.meta.dirname, '../../types')
const globals = resolve(typesFolder, 'transformation.d.ts')
const options: ts.CompilerOptions = {
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  target: ts.ScriptTarget.ES2023,
  lib: ['lib.es2023.d.ts'],
  module: ts.ModuleKind.ESNext,
  moduleResolution: ts.ModuleResolutionKind.Bundler,
  types: [],
}
/**
 * Returns the errors of each author's file as `line: message`. Uses one program for all files, because reading the
 * compiler's libraries takes a second.
 */
function errorsIn(codes: readonly string[]): readonly (readonly string[])[] {
  const files = new Map(codes.map((code, i) => [resolve(typesFolder, `example${i}.ts`), code]))
  const host = ts.createCompilerHost(options)
  const read = host.getSourceFile.bind(host)
  host.getSourceFile = (name, version) => {
    const code = files.get(name)
    return code === undefined ? read(name, version) : ts.createSourceFile(name, code, version)
  }
  const program = ts.createProgram([globals, ...files.keys()], options, host)
  const elsewhere = ts.getPreEmitDiagnostics(program).filter(({ file }) => !files.has(file?.fileName ?? ''))
  expect(elsewhere).toEqual([])
  return [...files.keys()].map((name) =>
    ts.getPreEmitDiagnostics(program, program.getSourceFile(name)).map(({ file, start, messageText }) => {
      const line = file && start !== undefined ? file.getLineAndCharacterOfPosition(start).line + 1 : 0
      return `${line}: ${ts.flattenDiagnosticMessageText(messageText, ' ')}`
    }),
  )
}

const sample = `
  import { sha256, hmac } from '@sluice/hash'
  import { base64Encode } from '@sluice/encoding'
  import { parse as parseUrl, URL as SameUrl } from '@sluice/url'
  import { parse } from '@sluice/user-agent'
  import { v4, v5, v7 } from '@sluice/uuid'
  import { mask } from '@sluice/pii'
  import { JSEncrypt } from '@rs/encrypt/v1'
  import { cyrb53, md5 } from '@rs/hash/v1'
  import { getLocalizedDeviceModel } from '@rs/localizeAppleDeviceModel/v1'
  import { UAParser } from '@rs/userAgentParser/v1'

  export const transformEvent: TransformEvent = async (event, metadata) => {
    if (event.type === 'alias') return null
    if (event.type === 'track' && event.event === 'Order') {
      const price = event.properties?.price
      if (typeof price === 'number') log('price', price.toFixed(2))
    }
    const about = metadata(event)
    console.log(about.sourceId?.length, about.messageIds?.[0])
    const hashes: string[] = sha256([event.userId ?? '', 'x'])
    const one: string = hmac('sha256', getCredential('key') ?? '', base64Encode('a'), { output: 'base64' })
    const url = new URL('/a', 'https://example.com')
    url.searchParams.set('a', one)
    for (const [name, value] of url.searchParams) log(name, value)
    const same: URL = new SameUrl(url)
    const order: number = one.localeCompare(same.href) + 'A'.toLocaleLowerCase().length
    log(order)
    const answer = await fetchV2(url, { method: 'POST', headers: { a: 1 }, body: new URLSearchParams({ a: 'b' }) })
    if (answer.status !== 200 || (await fetch('https://a')) === 'ERROR') return []
    const place = await geolocation(event.context?.ip ?? '')
    const agent = parse(event.context?.userAgent)
    const bytes = new TextEncoder().encode(atob(btoa(new TextDecoder().decode())))
    queueMicrotask(() => {})
    const crypt = new JSEncrypt()
    crypt.setKey(getCredential('rsa_public_key'))
    const browser: string | undefined = new UAParser().setUA('').getResult().browser.name
    log(crypt.encrypt(md5('a')), cyrb53('a') + 1, getLocalizedDeviceModel(event)?.length, browser)
    event.extra = structuredClone({ place, os: agent.os, ids: [v4(), v5('a', 'dns'), ...v7(2)], length: bytes.length, at: same.href })
    const record = parseUrl(event.context?.page?.url ?? '')
    return [mask(event, { detect: ['email'], replacement: { email: '*' }, skip: ['userId'] }), { ...event, hashes, params: record?.params }]
  }
  export const shop: (event: TrackEvent<{ price: number }>) => number = (event) => (event.properties?.price ?? 0) * 2
`

describe('types for authors', () => {
  const wrong = [
    ["import { sha256 } from '@sluice/hash'; sha256(5)", 'No overload matches this call'],
    [
      "import { sha256 } from '@sluice/hash'; const a: string = sha256(['a'])",
      "Type 'string[]' is not assignable to type 'string'",
    ],
    ["import { sha3 } from '@sluice/hash'", 'has no exported member'],
    [
      "import { mask } from '@sluice/pii'; mask('a', { detect: ['name'] })",
      `Type '"name"' is not assignable to type 'PiiKind'`,
    ],
    ["import {} from '@sluice/unknown'", "Cannot find module '@sluice/unknown'"],
    ['export const transformEvent: TransformEvent = () => 5', "Type 'number' is not assignable to type"],
    ['export const transformBatch: TransformBatch = (events) => events[0]', 'is not assignable to type'],
    [
      "export const f: TransformEvent = (e) => { if (e.type === 'alias') e.previousId = 5; return e }",
      "Type 'number' is not assignable to type 'string'",
    ],
    [
      "export const f: TransformEvent = (e) => { e.type = 'click'; return e }",
      `Type '"click"' is not assignable to type`,
    ],
    [
      'export const f: TransformEvent = (e, m) => ({ a: m(e).sourceIdd })',
      "Property 'sourceIdd' does not exist on type 'Metadata'",
    ],
    ['setTimeout(() => {}, 1)', "Cannot find name 'setTimeout'"],
    [
      "const text: string = (5).toLocaleString('de-DE')",
      "Type 'NotAvailableInUserCode' is not assignable to type 'string'",
    ],
    ['const text: string = new Date().toLocaleDateString()', "Type 'NotAvailableInUserCode' is not assignable"],
    ["const n: number = 'a'.localeCompare('b', 'sv')", "Type 'NotAvailableInUserCode' is not assignable"],
    ["new Intl.NumberFormat('de').format(5)", "Property 'format' does not exist on type 'NotAvailableInUserCode'"],
    ['getCredential()', 'Expected 1 arguments, but got 0'],
    ["new URL('a').origin = 'b'", "Cannot assign to 'origin' because it is a read-only property"],
    ["fetchV2('a').status", "Property 'status' does not exist on type 'Promise<FetchAnswer>'"],
  ] as const
  it('accept a transformation that uses everything, and refuse each wrong use', () => {
    const asModules = wrong.map(([code]) => (/import|export/.test(code) ? code : `${code}\nexport {}`))
    const [ofSample, ...found] = errorsIn([sample, ...asModules])
    expect(ofSample).toEqual([])
    for (const [i, [code]] of wrong.entries()) expect(found[i], code).toEqual([expect.stringMatching(/^1: /)])
    for (const [i, [code, message]] of wrong.entries()) expect(found[i]?.[0], code).toContain(message)
  })

  it('name all existing keys of metadata', () => {
    const text = ts.sys.readFile(globals) ?? ''
    const members = /interface Metadata \{(.*?)\n {2}\}/s.exec(text)?.[1] ?? ''
    expect([...members.matchAll(/readonly (\w+):/g)].map((match) => match[1])).toEqual([...metadataKeys])
  })

  it('name all existing modules, their exports and the globals', async () => {
    const api = createGuestApi({ clock: createManualClock(), random: createSeededRandom(1) })
    const guest = await openBareGuest(api)
    const text = ts.sys.readFile(resolve(typesFolder, 'modules.d.ts')) ?? ''
    const declared = [...text.matchAll(/^declare module '([^']+)' \{$(.*?)^\}$/gms)].map(([, name = '', body = '']) => {
      const functions = [...body.matchAll(/^ {2}export (?:function|class) (\w+)/gm)].map((match) => match[1] ?? '')
      const passedOn = [...body.matchAll(/^ {2}export \{ ([\w, ]+) \} from/gm)].flatMap(([, all = '']) =>
        all.split(', '),
      )
      const standard = /^ {2}export default /m.test(body) ? ['default'] : []
      const renamed = [...body.matchAll(/\w+Class as (\w+)/g)].map((match) => match[1] ?? '')
      return [name, [...new Set([...functions, ...passedOn, ...standard, ...renamed])].sort()]
    })
    const real = []
    for (const name of Object.keys(api.modules))
      real.push([name, await guest.run(`import * as m from '${name}'; globalThis.answer = Object.keys(m).sort()`)])
    expect(Object.fromEntries(declared)).toEqual(Object.fromEntries(real))

    const names = [...(ts.sys.readFile(globals) ?? '').matchAll(/^ {2}(?:function|var) (\w+)/gm)].map(
      (match) => match[1] ?? '',
    )
    const elsewhere = ['log', 'console'] // defined by the prelude
    const absent = `globalThis.answer = ${JSON.stringify(names)}.filter((name) => typeof globalThis[name] !== 'function')`
    expect(await guest.run(absent)).toEqual(elsewhere)
    guest.close()
  })
})

// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the templates belong to the guest
import type { ErrorCode, Library } from '@sluice/core'

/** A hostile program, and how it must end. */
export interface HostileProgram {
  readonly name: string
  /** What the program does for the evil event; a body that may use `event`, `log`, `globalThis`. */
  readonly evil?: string
  /** Code before the function, at the top level of the module. */
  readonly top?: string
  /** The whole module, where a body is not enough. */
  readonly code?: string
  readonly libraries?: readonly Library[]
  /**
   * Accepted outcomes; more than one where the order of the engine's checks decides. 'passes': the program does no harm
   * and its event continues.
   */
  /**
   * False for programs that break built-ins which the good event after them uses: in one batch they share the realm.
   */
  readonly sparesNext?: false
  readonly ends: readonly (ErrorCode | 'passes' | 'dropped')[]
}

/** The module of a program. One with a body does nothing to events that are not evil. */
export function codeOf({ code, evil: body, top = '' }: HostileProgram): string {
  return code ?? `${top}\nexport function transformEvent(event) {\n  if (!event.evil) return event;\n  ${body}\n}`
}

const loops: readonly HostileProgram[] = [
  { name: 'endless loop', evil: 'for (;;) {}', ends: ['transform.timeout'] },
  { name: 'endless loop in a finally', evil: 'try { throw 1 } finally { for (;;) {} }', ends: ['transform.timeout'] },
  {
    name: 'loop that catches its interruption',
    evil: 'for (;;) { try { for (;;) {} } catch {} }',
    ends: ['transform.timeout'],
  },
  { name: 'endless getter in the output', evil: 'return { get x() { for (;;) {} } }', ends: ['transform.timeout'] },
  {
    name: 'endless toJSON in the output',
    evil: 'return { x: { toJSON() { for (;;) {} } } }',
    ends: ['transform.timeout'],
  },
  {
    name: 'endless Proxy trap',
    evil: 'return new Proxy({}, { ownKeys() { for (;;) {} } })',
    ends: ['transform.timeout'],
  },
  { name: 'endless valueOf', evil: 'return { n: +{ valueOf() { for (;;) {} } } }', ends: ['transform.timeout'] },
  {
    name: 'endless generator',
    evil: 'function* f() { for (;;) yield 1 } for (const _ of f()) {}',
    ends: ['transform.timeout'],
  },
  {
    name: 'endless chain of promises',
    // Nothing keeps the promises: a chain that is returned grows, and on some machines it reaches the limit of memory first.
    evil: 'const f = () => void Promise.resolve().then(f); f(); return new Promise(() => {})',
    ends: ['transform.timeout'],
  },
  {
    name: 'loop after an await',
    code: 'export async function transformEvent(event) { if (!event.evil) return event; await null; for (;;) {} }',
    ends: ['transform.timeout'],
  },
  {
    name: 'async loop that catches its interruption',
    code: `const f = async () => { for (;;) {} }
export async function transformEvent(event) { if (!event.evil) return event; for (;;) { try { await f() } catch {} } }`,
    ends: ['transform.timeout'],
  },
  { name: 'thenable that never answers', evil: 'return { then() {} }', ends: ['transform.timeout'] },
  { name: 'promise that never settles', evil: 'return new Promise(() => {})', ends: ['transform.timeout'] },
  { name: 'then that loops', evil: 'return { then() { for (;;) {} } }', ends: ['transform.timeout'] },
  {
    name: 'work left behind',
    evil: 'const f = () => Promise.resolve().then(f); f(); return event',
    ends: ['transform.timeout', 'passes'],
  },
]

const nativeLoops: readonly HostileProgram[] = [
  {
    name: 'indexOf over a length of 2^32',
    evil: 'const a = []; a.length = 2 ** 32 - 1; return { i: a.indexOf(5) }',
    ends: ['transform.timeout'],
  },
  {
    name: 'join over a length of 2^32',
    evil: 'const a = []; a.length = 2 ** 32 - 1; return { i: a.join("") }',
    ends: ['transform.timeout', 'transform.threw', 'transform.memory'],
  },
  {
    name: 'includes on an endless array-like',
    evil: 'return { i: [].includes.call({ length: 2 ** 53 - 1 }, 7) }',
    ends: ['transform.timeout'],
  },
  {
    name: 'lastIndexOf on an endless array-like',
    evil: 'return { i: [].lastIndexOf.call({ length: 2 ** 53 - 1 }, 7) }',
    ends: ['transform.timeout'],
  },
  {
    name: 'reverse of an endless array-like',
    evil: '[].reverse.call({ length: 2 ** 53 - 1 })',
    ends: ['transform.timeout', 'transform.threw'],
  },
  {
    name: 'fill of an endless array-like',
    evil: '[].fill.call({ length: 2 ** 53 - 1 }, 0)',
    ends: ['transform.timeout', 'transform.memory'],
  },
  {
    name: 'sort of a sparse array',
    evil: 'const a = []; a.length = 2 ** 32 - 1; a.sort()',
    ends: ['transform.timeout', 'transform.memory', 'transform.threw'],
  },
  {
    name: 'sort with a wrong comparator',
    evil: 'Array.from({ length: 2e5 }, (_, i) => i).sort(() => { for (;;) {} })',
    ends: ['transform.timeout'],
  },
  {
    name: 'huge length in the output',
    evil: 'const a = []; a[4294967294 - 1] = 1; return { a }',
    ends: ['transform.timeout', 'transform.output', 'transform.memory'],
  },
  {
    name: 'empty huge array in the output',
    evil: 'const a = []; a.length = 2 ** 32 - 1; return { a }',
    ends: ['transform.timeout', 'transform.output', 'transform.memory'],
  },
  {
    name: 'fan-out of a huge length',
    evil: 'const a = []; a.length = 2 ** 32 - 1; return a',
    ends: ['transform.output'],
  },
]

const regexes: readonly HostileProgram[] = [
  { name: 'regex that backtracks', evil: '/^(a+)+$/.test("a".repeat(40) + "!")', ends: ['transform.timeout'] },
  {
    name: 'regex with nested alternatives',
    evil: '/^(\\w|\\w\\w)+$/.test("a".repeat(60) + "!")',
    ends: ['transform.timeout'],
  },
  {
    name: 'split by a regex that backtracks',
    evil: '("a".repeat(40) + "!").split(/(a+)+$/)',
    ends: ['transform.timeout', 'passes'],
  },
  {
    name: 'regex that is nested too deeply',
    evil: 'new RegExp("(".repeat(1e5))',
    ends: ['transform.threw', 'transform.stack'],
  },
]

const recursion: readonly HostileProgram[] = [
  { name: 'plain recursion', evil: 'const f = () => f() + 1; f()', ends: ['transform.stack'] },
  { name: 'mutual recursion', evil: 'const f = (n) => g(n) + 1, g = (n) => f(n) + 1; f(0)', ends: ['transform.stack'] },
  {
    name: 'recursion through a getter',
    evil: 'const o = { get x() { return this.x } }; o.x',
    ends: ['transform.stack'],
  },
  {
    name: 'recursion through a Proxy',
    evil: 'const p = new Proxy({}, { get: (t, k, r) => r[k] }); p.x',
    ends: ['transform.stack'],
  },
  {
    name: 'recursion through toString',
    evil: 'const o = { toString() { return `${o}` } }; `${o}`',
    ends: ['transform.stack'],
  },
  { name: 'recursion through replace', evil: 'const f = () => "a".replace(/a/, f); f()', ends: ['transform.stack'] },
  { name: 'recursion through sort', evil: 'const f = () => [2, 1].sort(f); f()', ends: ['transform.stack'] },
  {
    name: 'recursion through JSON.stringify',
    evil: 'const o = { toJSON() { return JSON.stringify(o) } }; JSON.stringify(o)',
    ends: ['transform.stack'],
  },
  {
    name: 'recursion of constructors',
    evil: 'class A { constructor() { new A() } } new A()',
    ends: ['transform.stack'],
  },
  {
    name: 'recursion through Reflect.apply',
    evil: 'const f = () => Reflect.apply(f, null, []); f()',
    ends: ['transform.stack'],
  },
  {
    name: 'JSON.parse of a deeply nested text',
    evil: 'JSON.parse("[".repeat(3e5))',
    ends: ['transform.stack', 'transform.threw'],
  },
  { name: 'code nested deep', evil: 'eval("(".repeat(1e5))', ends: ['transform.stack', 'transform.threw'] },
  {
    name: 'output nested deep',
    evil: 'let o = {}; for (let i = 0; i < 2e4; i++) o = { o }; return o',
    ends: ['transform.output'],
  },
  {
    name: 'deeply nested array in the output',
    evil: 'let a = []; for (let i = 0; i < 2e4; i++) a = [a]; return { a }',
    ends: ['transform.output'],
  },
]

const memory: readonly HostileProgram[] = [
  { name: 'string bomb', evil: 'let s = "x"; for (;;) s += s + "y"', ends: ['transform.memory', 'transform.threw'] },
  {
    name: 'repeated string bomb',
    evil: 'const a = []; for (;;) a.push("x".repeat(1e6) + a.length)',
    ends: ['transform.memory', 'transform.timeout'],
  },
  {
    name: 'template string bomb',
    evil: 'let s = "x"; for (;;) s = `${s}${s}${s}`',
    ends: ['transform.memory', 'transform.threw'],
  },
  {
    name: 'array bomb',
    evil: 'const a = []; for (;;) a.push({ a: [] })',
    ends: ['transform.memory', 'transform.timeout'],
  },
  {
    name: 'spread bomb',
    evil: 'let a = [1]; for (;;) a = [...a, ...a]',
    ends: ['transform.memory', 'transform.timeout'],
  },
  {
    name: 'ArrayBuffer bomb',
    evil: 'const a = []; for (;;) a.push(new ArrayBuffer(1e6))',
    // Filling the memory may take longer than it has.
    ends: ['transform.memory', 'transform.threw', 'transform.timeout'],
  },
  { name: 'one huge ArrayBuffer', evil: 'new ArrayBuffer(2 ** 31)', ends: ['transform.memory', 'transform.threw'] },
  {
    name: 'growing typed array',
    evil: 'let n = 1e5; for (;;) { new Float64Array(n).fill(1); n *= 2 }',
    ends: ['transform.memory', 'transform.threw', 'transform.timeout'],
  },
  {
    name: 'BigInt power',
    evil: '2n ** 10000000000n',
    ends: ['transform.memory', 'transform.threw', 'transform.timeout'],
  },
  {
    name: 'BigInt growth',
    evil: 'let n = 3n; for (;;) n *= n',
    ends: ['transform.memory', 'transform.threw', 'transform.timeout'],
  },
  {
    name: 'Map bomb',
    evil: 'const m = new Map(); for (let i = 0; ; i++) m.set(i, { i })',
    ends: ['transform.memory', 'transform.timeout'],
  },
  {
    name: 'closure bomb',
    evil: 'const a = []; for (;;) a.push(() => a)',
    ends: ['transform.memory', 'transform.timeout'],
  },
  { name: 'padStart bomb', evil: '"x".padStart(2 ** 30, "ab")', ends: ['transform.memory', 'transform.threw'] },
]

const overwriting: readonly HostileProgram[] = [
  {
    name: 'polluted Object.prototype',
    evil: 'Object.prototype.evil = 1; Object.prototype.toJSON = () => 7; return event',
    sparesNext: false,
    ends: ['passes', 'transform.output'],
  },
  {
    name: 'setter on Object.prototype',
    evil: 'Object.defineProperty(Object.prototype, "kind", { set() { throw 1 } }); return event',
    sparesNext: false,
    ends: ['passes', 'transform.threw', 'transform.output'],
  },
  {
    name: 'overwritten JSON',
    evil: 'JSON.parse = JSON.stringify = () => "evil"; globalThis.JSON = 1; return event',
    sparesNext: false,
    ends: ['passes'],
  },
  {
    name: 'overwritten Promise',
    evil: 'Promise.prototype.then = () => { throw 1 }; globalThis.Promise = 1; return event',
    sparesNext: false,
    ends: ['passes'],
  },
  {
    name: 'overwritten Array',
    evil: 'Array.isArray = () => true; Array.prototype.push = () => 1; globalThis.Array = 1; return event',
    sparesNext: false,
    ends: ['passes'],
  },
  {
    name: 'overwritten iteration',
    evil: 'Array.prototype[Symbol.iterator] = function* () { for (;;) yield 1 }; return event',
    sparesNext: false,
    ends: ['passes'],
  },
  {
    name: 'overwritten Reflect and Function',
    evil: 'Reflect.apply = Function.prototype.call = Function.prototype.apply = () => "evil"; return event',
    sparesNext: false,
    ends: ['passes'],
  },
  {
    name: 'overwritten toString',
    evil: 'Object.prototype.toString = () => "[object Object]"; return 42',
    sparesNext: false,
    ends: ['transform.output'],
  },
  {
    name: 'overwritten Date and Math',
    evil: 'Date.now = Math.random = () => { for (;;) {} }; return event',
    sparesNext: false,
    ends: ['passes'],
  },
  {
    name: 'overwritten Error',
    evil: 'globalThis.Error = 1; Error.prototype = null; throw { message: "x" }',
    sparesNext: false,
    ends: ['transform.threw'],
  },
  {
    name: 'frozen globals',
    evil: 'Object.freeze(globalThis); Object.freeze(Object.prototype); return event',
    sparesNext: false,
    ends: ['passes'],
  },
  {
    name: 'every intrinsic deleted',
    evil: 'for (const k of Object.getOwnPropertyNames(globalThis)) try { delete globalThis[k] } catch {} return event',
    sparesNext: false,
    ends: ['passes'],
  },
  {
    name: 'every prototype emptied',
    evil: 'for (const k of Object.getOwnPropertyNames(globalThis)) { const p = globalThis[k]?.prototype; if (p) for (const m of Object.getOwnPropertyNames(p)) try { delete p[m] } catch {} } return event',
    sparesNext: false,
    ends: ['passes', 'transform.output', 'transform.threw'],
  },
]

/** Setters on prototypes. If our code wrote to a list with a plain assignment, their `this` would be that list. */
const forging: readonly HostileProgram[] = [
  ...['0', '2', '-1', '999', '1.5', "'zz'", 'NaN'].map((index) => ({
    name: `answer forged for the event of index ${index}`,
    code: `export async function transformEvent(event) {
  const forged = { value: [${index}, '', 0, { forged: 1 }], writable: true, enumerable: true, configurable: true }
  if (event.evil) Object.defineProperty(Array.prototype, 0, { configurable: true, set() { Object.defineProperty(this, 0, forged) } })
  await null
  return event
}`,
    ends: ['passes', 'transform.output'] as const,
  })),
  {
    name: 'outputs mistaken for a log',
    code: `export function transformEvent(event) {
  const forged = { value: [0, '', 2], writable: true, enumerable: true, configurable: true }
  for (let i = 0; i < 70; i++) Object.defineProperty(Array.prototype, i, { configurable: true, set() { Object.defineProperty(this, i, forged) } })
  return event
}`,
    ends: ['passes', 'transform.output'],
  },
  {
    name: 'outputs that are swallowed',
    code: `export async function transformEvent(event) {
  for (let i = 0; i < 70; i++) Object.defineProperty(Array.prototype, i, { configurable: true, set() {} })
  await null
  return event
}`,
    ends: ['passes', 'transform.output'],
  },
  {
    name: 'outputs for events that do not exist',
    code: `export async function transformEvent(event) {
  const forged = (k) => ({ value: [k, '', 0, { forged: k }], writable: true, enumerable: true, configurable: true })
  if (event.evil) Object.defineProperty(Array.prototype, 0, { configurable: true, set() { for (let k = 0; k < 50; k++) Object.defineProperty(this, k, forged(k)) } })
  await null
  return event
}`,
    ends: ['passes', 'transform.output'],
  },
  {
    name: 'interception of our patterns, metadata and random numbers',
    code: `RegExp.prototype.exec = RegExp.prototype.test = () => { throw 1 }
Object.defineProperty(Object.getPrototypeOf(Float64Array.prototype), 'length', { get() { throw 1 } })
Object.defineProperty(Object.prototype, 'sourceId', { set() { throw 1 }, get() { throw 1 } })
export function transformEvent(event, metadata) {
  try { metadata(event) } catch {}
  return { ...event, n: Math.random() < 2 ? event.n : 0 }
}`,
    ends: ['passes'],
  },
]

const escapes: readonly HostileProgram[] = [
  {
    name: 'constructor of a constructor',
    evil: 'return { t: typeof log.constructor.constructor("return typeof process")(), p: log.constructor("return typeof process")() }',
    ends: ['passes'],
  },
  {
    name: 'stack of an error',
    evil: 'return { stack: new Error("x").stack, of: (() => { try { null.x } catch (e) { return e.stack } })() }',
    ends: ['passes'],
  },
  {
    name: 'stack trace hook',
    evil: 'Error.prepareStackTrace = (e, frames) => frames; return { s: String(new Error("x").stack) }',
    ends: ['passes'],
  },
  {
    name: 'arguments and caller',
    evil: 'return { c: (function () { try { return String(arguments.callee.caller) } catch (e) { return e.message } })() }',
    ends: ['passes'],
  },
  {
    name: 'dynamic import',
    code: 'export async function transformEvent(event) { if (!event.evil) return event; return { m: Object.keys(await import("fs")) } }',
    ends: ['transform.threw', 'transform.timeout'],
  },
  {
    name: 'import of a host module',
    code: 'import fs from "node:fs"\nexport function transformEvent(event) { return event }',
    ends: ['transform.load'],
  },
  {
    name: 'import by path',
    code: 'import x from "../../package.json"\nexport function transformEvent(event) { return event }',
    ends: ['transform.load'],
  },
  {
    name: 'std and os of QuickJS',
    code: 'import * as std from "std"\nexport function transformEvent(event) { return event }',
    ends: ['transform.load'],
  },
  {
    name: 'shared memory that grows',
    evil: 'return { t: typeof SharedArrayBuffer, a: typeof Atomics, e: eval("typeof SharedArrayBuffer") }',
    ends: ['passes'],
  },
  {
    name: '__proto__ in the output',
    evil: 'return JSON.parse(\'{"__proto__": {"polluted": true}, "a": 1}\')',
    ends: ['passes'],
  },
  { name: 'a function as the output', evil: 'return () => event', ends: ['transform.output'] },
  {
    name: 'host functions left on the global object',
    evil: 'return { names: Object.getOwnPropertyNames(globalThis).filter((k) => /host|sluice/i.test(k)) }',
    ends: ['passes'],
  },
]

const outputs: readonly HostileProgram[] = [
  // With so little memory, writing the output may already be too much.
  {
    name: 'huge output',
    evil: 'return { s: "x".repeat(6e6) }',
    // On a slow machine the time limit applies first.
    ends: ['transform.output', 'transform.memory', 'transform.timeout'],
  },
  {
    name: 'huge output by shared references',
    evil: 'let o = { s: "x".repeat(100) }; for (let i = 0; i < 40; i++) o = { l: o, r: o }; return o',
    ends: ['transform.output', 'transform.memory', 'transform.timeout'],
  },
  {
    name: 'output of very many values',
    evil: 'return { a: Array.from({ length: 4e5 }, () => []) }',
    ends: ['transform.output', 'transform.memory', 'transform.timeout'],
  },
  { name: 'circular output', evil: 'const o = {}; o.o = o; return o', ends: ['transform.output'] },
  { name: 'BigInt in the output', evil: 'return { n: 1n }', ends: ['transform.output'] },
  {
    name: 'throwing getter in the output',
    evil: 'return { get x() { throw new Error("no") } }',
    ends: ['transform.output', 'transform.threw'],
  },
  { name: 'huge fan-out', evil: 'return Array.from({ length: 1e5 }, () => event)', ends: ['transform.output'] },
  {
    name: 'huge log',
    evil: 'for (let i = 0; i < 2e4; i++) log("x".repeat(1000)); return event',
    ends: ['passes', 'transform.timeout'],
  },
  { name: 'huge message of an error', evil: 'throw new Error("x".repeat(5e6))', ends: ['transform.threw'] },
  {
    name: 'an error whose members throw',
    evil: 'throw new Proxy(new Error("x"), { get() { throw 1 } })',
    ends: ['transform.threw'],
  },
  { name: 'a thrown null', evil: 'throw null', ends: ['transform.threw'] },
  {
    name: 'a thrown endless getter',
    evil: 'throw { get message() { for (;;) {} }, toString() { for (;;) {} }, toJSON() { for (;;) {} } }',
    ends: ['transform.threw', 'transform.timeout'],
  },
]

const loading: readonly HostileProgram[] = [
  {
    name: 'counters that only tests use',
    code: "import { hits, first, mark } from '@sluice/probe'\nexport function transformEvent(event) { hits.fill(1); first(); return event }",
    ends: ['transform.load'],
  },
  {
    name: 'endless loop at the top level',
    code: 'for (;;) {}\nexport function transformEvent(event) { return event }',
    ends: ['transform.load'],
  },
  {
    name: 'native loop at the top level',
    code: 'const a = []; a.length = 2 ** 32 - 1; a.indexOf(5)\nexport function transformEvent(event) { return event }',
    ends: ['transform.load', 'transform.timeout'],
  },
  {
    name: 'top-level await that never ends',
    code: 'await new Promise(() => {})\nexport function transformEvent(event) { return event }',
    ends: ['transform.load'],
  },
  {
    name: 'memory bomb at the top level',
    code: 'const a = []; for (;;) a.push("x".repeat(1e6) + a.length)\nexport function transformEvent(event) { return event }',
    ends: ['transform.load'],
  },
  {
    name: 'recursion at the top level',
    code: 'const f = () => f() + 1; f()\nexport function transformEvent(event) { return event }',
    ends: ['transform.load'],
  },
  {
    name: 'library named __proto__',
    code: 'import { x } from "__proto__"\nexport function transformEvent(event) { return { x } }',
    libraries: [{ name: '__proto__', code: 'export const x = 1' }],
    ends: ['passes', 'transform.load'],
  },
  {
    name: 'missing library named constructor',
    code: 'import x from "constructor"\nexport function transformEvent(event) { return event }',
    ends: ['transform.load'],
  },
  {
    name: 'library named like a built-in',
    code: 'import { sha256 } from "@sluice/hash"\nexport function transformEvent(event) { return { t: typeof sha256 } }',
    libraries: [{ name: '@sluice/hash', code: 'export const sha256 = 1' }],
    ends: ['passes', 'transform.load'],
  },
  {
    name: 'libraries that import each other',
    code: 'import { a } from "a"\nexport function transformEvent(event) { return { a: a() } }',
    libraries: [
      { name: 'a', code: 'import { b } from "b"; export const a = () => b()' },
      { name: 'b', code: 'import { a } from "a"; export const b = () => typeof a' },
    ],
    ends: ['transform.load'],
  },
]

/**
 * Public defects of the engine, as reported for the version inside: bellard/quickjs issues 451, 477, 478 and 492, quickjs-ng
 * issue 1305. All read or write behind a buffer that shrinks while it is used.
 */
const engineDefects: readonly HostileProgram[] = [
  {
    name: 'slice of a buffer that its species shrinks',
    evil: `const buffer = new ArrayBuffer(1000, { maxByteLength: 2000 })
  Object.defineProperty(buffer.constructor, Symbol.species, { value: function (n) { buffer.resize(100); return new ArrayBuffer(n) } })
  return { leaked: Array.from(new Uint8Array(buffer.slice(500, 1000))) }`,
    ends: ['transform.threw'],
    sparesNext: false,
  },
  {
    name: 'sort of a typed array whose comparison shrinks it',
    evil: `const bytes = new Uint8Array(new ArrayBuffer(256, { maxByteLength: 2560 }))
  let n = 0
  bytes.sort((a, b) => { n += 1; if (n === 1734) bytes.buffer.resize(10); return a - b })
  if (n < 1734) bytes.buffer.resize(10)`,
    ends: ['transform.threw'],
  },
  {
    name: 'copy of a typed array whose constructor shrinks it',
    evil: `const buffer = new ArrayBuffer(10, { maxByteLength: 10 })
  const target = new Proxy(function () {}, { get: (it, key) => key === 'prototype' ? (buffer.resize(0), Uint8Array.prototype) : it[key] })
  return { leaked: Array.from(Reflect.construct(Uint8Array, [new Uint8Array(buffer, 0)], target)) }`,
    ends: ['transform.threw'],
  },
  {
    name: 'sort of a typed array whose comparison detaches it',
    evil: `const bytes = new Uint8Array(256)
  return { leaked: Array.from(bytes.sort(() => { bytes.buffer.transfer(8); return 1 })) }`,
    ends: ['transform.threw'],
  },
  {
    name: 'typed array with a value that shrinks it',
    evil: `const buffer = new ArrayBuffer(4096, { maxByteLength: 4096 })
  return { leaked: Array.from(new Int32Array(buffer).with(0, { valueOf() { buffer.resize(8); return 1 } })) }`,
    ends: ['transform.threw'],
  },
]

const credentials: readonly HostileProgram[] = ['constructor', '__proto__', 'toString', 'hasOwnProperty'].map(
  (key) => ({
    name: `credential named ${key}`,
    evil: `return { t: typeof getCredential(${JSON.stringify(key)}) }`,
    ends: ['passes'],
  }),
)

export const hostilePrograms: readonly HostileProgram[] = [
  ...loops,
  ...nativeLoops,
  ...regexes,
  ...recursion,
  ...memory,
  ...overwriting,
  ...forging,
  ...escapes,
  ...outputs,
  ...loading,
  ...engineDefects,
  ...credentials,
]

/** The forged outputs must not be accepted as outputs of another event. */
export const forgingPrograms = forging

/** Built-in functions over huge arrays, which only the end of a thread can stop. */
export const endlessBuiltIns = nativeLoops

/**
 * What our own code has in a guest until user code runs: see `GuestApi` in `src/guest-api.ts` and `src/vm/guest-probes.ts`.
 * Programs save it when they start.
 */

declare function callHost<Name extends keyof SyncCalls>(
  name: Name,
  ...args: Parameters<SyncCalls[Name]>
): ReturnType<SyncCalls[Name]>

declare function callHostLater<Name extends keyof AsyncCalls>(
  name: Name,
  ...args: Parameters<AsyncCalls[Name]>
): Promise<ReturnType<AsyncCalls[Name]>>

/** Exists where code is instrumented. */
declare const hostProbes: {
  /** Rows of `count` numbers each, and then the current place. */
  readonly numbers: Uint32Array
  readonly count: number
  readonly now: () => number
  /** Informs the host that something was counted for the first time. */
  readonly first: () => void
}

/** A text, or a list of them; any other value of user code is refused by the host. */
type Texts = string | readonly string[]

/** Synchronous functions of the host that programs call, by name. */
interface SyncCalls {
  urlParts(text: string, base?: string): UrlParts | null
  urlSet(href: string, key: string, value: string): UrlParts
  urlSetParams(href: string, pairs: readonly string[]): UrlParts
  urlRecords(value: Texts, base?: string): JsonValue
  paramsRead(text: string): string[]
  paramsWrite(pairs: readonly string[]): string
  utf8Encode(text: string): number[]
  utf8Decode(bytes: string, fatal: boolean, stream: boolean): [text: string, rest: string]
  base64Read(text: string): string
  base64Write(text: string): string
  credential(key: string): JsonValue[]
  hash(algorithm: string, value: Texts, options?: JsonObject): JsonValue
  hmac(algorithm: string, key: string, value: Texts, options?: JsonObject): JsonValue
  base64Encode(value: Texts): JsonValue
  base64Decode(value: Texts): JsonValue
  base64UrlEncode(value: Texts): JsonValue
  base64UrlDecode(value: Texts): JsonValue
  hexEncode(value: Texts): JsonValue
  hexDecode(value: Texts): JsonValue
  utf8Length(value: Texts): JsonValue
  userAgent(value: Texts): JsonValue
  uuidV4(count?: number): JsonValue
  uuidV5(name: Texts, namespace: string): JsonValue
  uuidV7(count?: number): JsonValue
  /** Changes by key or index, as deep as the value; null for none. */
  piiEdits(value: unknown, options?: JsonObject): JsonObject | null
  rsaEncrypt(key: string, text: string): string | false
  rsaDecrypt(key: string, text: string): string | false
  appleModelName(model: JsonValue): JsonValue
}

/** Asynchronous functions of the host that programs call, by name. */
interface AsyncCalls {
  fetch(url: string | null | undefined, options: unknown): { json: JsonValue } | { error: true }
  fetchV2(url: string | null | undefined, options: unknown): FetchAnswer
  geolocation(ip: string): JsonObject
}

/** The parts of a URL, as its members name them. */
interface UrlParts {
  readonly href: string
  readonly origin: string
  readonly protocol: string
  readonly username: string
  readonly password: string
  readonly host: string
  readonly hostname: string
  readonly port: string
  readonly pathname: string
  readonly search: string
  readonly hash: string
}

interface PropertyDescriptor {
  /** Programs set it, so that a description has no members that user code defined on a shared prototype. */
  __proto__?: null
}

interface Error {
  /** Errors of our own code may have what Node's have. */
  code?: string
  input?: string
}

/**
 * Built-in modules of user code. A call costs a few microseconds for any number of texts, so pass lists where you have
 * them.
 */

declare module '@sluice/hash' {
  interface HashOptions {
    /** Default 'hex'. */
    output?: 'hex' | 'base64' | 'base64url'
    /** Encoding of the bytes in the text; default 'utf8'. */
    input?: 'utf8' | 'hex' | 'base64'
  }
  interface HmacOptions extends HashOptions {
    /** Encoding of the bytes of the key; default 'utf8'. */
    key?: 'utf8' | 'hex' | 'base64'
  }
  /** Returns the digest of a text, or of each text of a list. */
  export function sha256(text: string, options?: HashOptions): string
  export function sha256(texts: readonly string[], options?: HashOptions): string[]
  export function sha512(text: string, options?: HashOptions): string
  export function sha512(texts: readonly string[], options?: HashOptions): string[]
  export function sha1(text: string, options?: HashOptions): string
  export function sha1(texts: readonly string[], options?: HashOptions): string[]
  export function md5(text: string, options?: HashOptions): string
  export function md5(texts: readonly string[], options?: HashOptions): string[]
  /** `hmac('sha256', key, text)`. */
  export function hmac(
    algorithm: 'sha256' | 'sha512' | 'sha1' | 'md5',
    key: string,
    text: string,
    options?: HmacOptions,
  ): string
  export function hmac(
    algorithm: 'sha256' | 'sha512' | 'sha1' | 'md5',
    key: string,
    texts: readonly string[],
    options?: HmacOptions,
  ): string[]
}

declare module '@sluice/encoding' {
  /** Encodes the UTF-8 bytes of a text, or of each text of a list. Decoders throw a TypeError for invalid text. */
  export function base64Encode(text: string): string
  export function base64Encode(texts: readonly string[]): string[]
  export function base64Decode(text: string): string
  export function base64Decode(texts: readonly string[]): string[]
  export function base64UrlEncode(text: string): string
  export function base64UrlEncode(texts: readonly string[]): string[]
  export function base64UrlDecode(text: string): string
  export function base64UrlDecode(texts: readonly string[]): string[]
  export function hexEncode(text: string): string
  export function hexEncode(texts: readonly string[]): string[]
  export function hexDecode(text: string): string
  export function hexDecode(texts: readonly string[]): string[]
  /** Returns the length of a text in UTF-8, in bytes. */
  export function utf8Length(text: string): number
  export function utf8Length(texts: readonly string[]): number[]
}

declare module '@sluice/url' {
  const UrlClass: typeof globalThis.URL
  const ParamsClass: typeof globalThis.URLSearchParams

  export { ParamsClass as URLSearchParams, UrlClass as URL }

  interface UrlRecord {
    href: string
    origin: string
    protocol: string
    username: string
    password: string
    host: string
    hostname: string
    port: string
    pathname: string
    search: string
    hash: string
    /** A text for a name that occurs once, a list otherwise. */
    params: { [name: string]: string | string[] }
  }
  /**
   * Returns the parts of a URL, null when it is invalid. Cheaper than `new URL` when you only read. A host with other
   * characters than ASCII, percent signs or Punycode is invalid when it has more than 255 characters.
   */
  export function parse(url: string, base?: string): UrlRecord | null
  export function parse(urls: readonly string[], base?: string): (UrlRecord | null)[]
}

declare module '@sluice/user-agent' {
  interface UserAgent {
    browser: { name?: string; version?: string; major?: string }
    engine: { name?: string; version?: string }
    os: { name?: string; version?: string }
    /** The type is absent for desktop computers. */
    device: { vendor?: string; model?: string; type?: string }
    cpu: { architecture?: string }
  }
  /** Parses a User-Agent text. All members are empty when it is absent or unknown. */
  export function parse(userAgent: string | null | undefined): UserAgent
  export function parse(userAgents: readonly (string | null | undefined)[]): UserAgent[]
}

declare module '@sluice/uuid' {
  /** Returns a random UUID, or a list of `count`. */
  export function v4(): string
  export function v4(count: number): string[]
  /** Returns UUIDs that begin with the current time. */
  export function v7(): string
  export function v7(count: number): string[]
  /** Returns the same UUID for the same name and name space. */
  export function v5(name: string, namespace: 'dns' | 'url' | 'oid' | 'x500' | (string & {})): string
  export function v5(names: readonly string[], namespace: 'dns' | 'url' | 'oid' | 'x500' | (string & {})): string[]
}

declare module '@sluice/pii' {
  type PiiKind = 'email' | 'phone' | 'card' | 'ipv4' | 'ipv6'
  interface MaskOptions {
    /** Kinds to look for. Default: all. */
    detect?: readonly PiiKind[]
    /** One text for all kinds, or one per kind. Default: `[email]`, `[phone]`, `[card]` and `[ip]`. */
    replacement?: string | { [Kind in PiiKind]?: string }
    /**
     * Key paths such as `context.traits`, including everything below. `*` matches any single key; lists need no key.
     */
    only?: readonly string[]
    /** Key paths that are left unchanged. They override `only`. */
    skip?: readonly string[]
  }
  /**
   * Returns a copy with personal data replaced in all strings. Unchanged parts are shared with the given value. Keys
   * and numbers stay the same. One call for a whole event.
   */
  export function mask<Value>(value: Value, options?: MaskOptions): Value
}

/** The libraries of RudderStack, for code that moves here. New code better imports the modules above. */

declare module '@rs/hash/v1' {
  export { md5, sha256 } from '@sluice/hash'
  /** Returns a hash of 53 bits. It is fast, and not for secrets. */
  export function cyrb53(text: string, seed?: number): number
}

declare module '@rs/encrypt/v1' {
  /** Encrypts and decrypts with RSA (PKCS #1 v1.5) and base64. */
  export class JSEncrypt {
    /** Takes an RSA key of 512 to 4,096 bits as PEM, or as its base64 alone. To decrypt it must be the private key. */
    setKey(key: string | null | undefined): void
    setPublicKey(key: string | null | undefined): void
    setPrivateKey(key: string | null | undefined): void
    /** Returns false when there is no valid key, or the text is too long for it. */
    encrypt(text: string): string | false
    /** Returns false when there is no private key, or the text was not encrypted with its public key. */
    decrypt(text: string): string | false
  }
  export default JSEncrypt
}

declare module '@rs/userAgentParser/v1' {
  import type { UserAgent } from '@sluice/user-agent'

  /** Parses a User-Agent text, as ua-parser-js does. */
  export class UAParser {
    constructor(userAgent?: string)
    setUA(userAgent: string): this
    getUA(): string
    getBrowser(): UserAgent['browser']
    getCPU(): UserAgent['cpu']
    getDevice(): UserAgent['device']
    getEngine(): UserAgent['engine']
    getOS(): UserAgent['os']
    getResult(): UserAgent & { ua: string }
  }
}

declare module '@rs/localizeAppleDeviceModel/v1' {
  /**
   * Returns the name of `context.device.model`, such as `iPhone 12 Mini` for `iPhone13,1`, or an unknown model as it is;
   * undefined for events without a model, and of other systems than Apple's.
   */
  export function getLocalizedDeviceModel(event: object): string | undefined
}

/**
 * Types for authors of transformations: globals of user code and the events it gets. In a project with transformations,
 * set `"compilerOptions": { "lib": ["es2023"], "types": ["@sluice/sandbox/types"] }`.
 *
 * Events are whatever sources sent. Any member may be absent or have another type, so members are optional and free
 * ones are `JsonValue`. Give your own shape where you know it: `TrackEvent<{ price: number }>`.
 */
/// <reference path="./modules.d.ts" />
/// <reference path="./locales.d.ts" />

export type {}

declare global {
  type JsonValue = string | number | boolean | null | JsonValue[] | JsonObject
  interface JsonObject {
    [key: string]: JsonValue | undefined
  }

  /** Where and with what an event was created. Members are as in the event specification; there may be others. */
  interface EventContext extends JsonObject {
    app?: { name?: string; version?: string; build?: string; [key: string]: JsonValue | undefined }
    campaign?: {
      name?: string
      source?: string
      medium?: string
      term?: string
      content?: string
      [key: string]: JsonValue | undefined
    }
    device?: { id?: string; manufacturer?: string; model?: string; type?: string; [key: string]: JsonValue | undefined }
    ip?: string
    library?: { name?: string; version?: string; [key: string]: JsonValue | undefined }
    locale?: string
    network?: JsonObject
    os?: { name?: string; version?: string; [key: string]: JsonValue | undefined }
    page?: {
      path?: string
      referrer?: string
      search?: string
      title?: string
      url?: string
      [key: string]: JsonValue | undefined
    }
    screen?: { width?: number; height?: number; density?: number; [key: string]: JsonValue | undefined }
    timezone?: string
    traits?: JsonObject
    userAgent?: string
  }

  /** Members of all events. */
  interface EventCommon {
    /** Stable over retries. A transformation that fans out may keep it. */
    messageId?: string
    anonymousId?: string
    userId?: string
    channel?: string
    context?: EventContext
    integrations?: { All?: boolean; [destination: string]: JsonValue | undefined }
    /** ISO 8601. When the event happened, was created and was sent, by the sender's clock, and when it was received. */
    timestamp?: string
    originalTimestamp?: string
    sentAt?: string
    receivedAt?: string
    request_ip?: string
    rudderId?: string
    /** Senders may add members of their own. */
    [key: string]: JsonValue | object | undefined
  }

  /** Describes a user. */
  interface IdentifyEvent<Traits extends object = JsonObject> extends EventCommon {
    type: 'identify'
    traits?: Traits
  }
  /** An action of a user. */
  interface TrackEvent<Properties extends object = JsonObject> extends EventCommon {
    type: 'track'
    /** Name of the action. */
    event?: string
    properties?: Properties
  }
  /** A page that a user saw. */
  interface PageEvent<Properties extends object = JsonObject> extends EventCommon {
    type: 'page'
    name?: string
    category?: string
    properties?: Properties
  }
  /** A screen of an app that a user saw. */
  interface ScreenEvent<Properties extends object = JsonObject> extends EventCommon {
    type: 'screen'
    name?: string
    category?: string
    properties?: Properties
  }
  /** The group that a user belongs to. */
  interface GroupEvent<Traits extends object = JsonObject> extends EventCommon {
    type: 'group'
    groupId?: string
    traits?: Traits
  }
  /** States that two identifiers belong to the same user. */
  interface AliasEvent extends EventCommon {
    type: 'alias'
    previousId?: string
  }

  /** Any event; `type` says which. */
  type TransformationEvent = IdentifyEvent | TrackEvent | PageEvent | ScreenEvent | GroupEvent | AliasEvent

  /** What is known about an event besides its content. All members exist; unknown ones are undefined. */
  interface Metadata {
    readonly sourceId: string | undefined
    readonly sourceName: string | undefined
    readonly workspaceId: string | undefined
    readonly sourceType: string | undefined
    readonly sourceCategory: string | undefined
    readonly destinationId: string | undefined
    readonly destinationType: string | undefined
    readonly destinationName: string | undefined
    readonly namespace: string | undefined
    readonly originalSourceId: string | undefined
    readonly trackingPlanId: string | undefined
    readonly trackingPlanVersion: number | undefined
    readonly sourceTpConfig: JsonValue | undefined
    readonly mergedTpConfig: JsonValue | undefined
    readonly jobId: string | number | undefined
    readonly sourceJobId: string | undefined
    readonly sourceJobRunId: string | undefined
    readonly sourceTaskRunId: string | undefined
    readonly recordId: JsonValue | undefined
    readonly messageId: string | undefined
    readonly messageIds: readonly string[] | null | undefined
    readonly rudderId: string | undefined
    readonly receivedAt: string | undefined
    readonly eventName: string | undefined
    readonly eventType: string | undefined
    readonly sourceDefinitionId: string | undefined
    readonly destinationDefinitionId: string | undefined
    readonly transformationId: string | undefined
    readonly transformationVersionId: string | undefined
  }
  type MetadataOf = (event: object | null | undefined) => Metadata

  /** One event, several (fan-out), or none: null, undefined and [] drop the event. */
  // biome-ignore lint/suspicious/noConfusingVoidType: a function without return is what drops the event
  type TransformationResult = object | readonly object[] | null | undefined | void

  /** `export const transformEvent: TransformEvent = (event, metadata) => …`; called once for each event. */
  type TransformEvent = (
    event: TransformationEvent,
    metadata: MetadataOf,
  ) => TransformationResult | Promise<TransformationResult>

  /**
   * `export const transformBatch: TransformBatch = (events, metadata) => …`; called once for each batch. An output belongs
   * to the input with its messageId, otherwise to the first input.
   */
  type TransformBatch = (
    events: TransformationEvent[],
    metadata: MetadataOf,
  ) => readonly object[] | Promise<readonly object[]>

  /** Adds a line to the log of the run. Values that are not text are written as JSON. */
  function log(...values: unknown[]): void

  interface FetchOptions {
    method?: string
    headers?: { [name: string]: string | number } | readonly (readonly [name: string, value: string])[]
    /** Text. An object is sent as JSON, URLSearchParams as a form. */
    body?: string | object
    /** Default 'follow'. */
    redirect?: 'follow' | 'manual' | 'error'
  }
  interface FetchAnswer {
    /** URL after redirects. */
    url: string
    status: number
    /** Lower-case names. */
    headers: { [name: string]: string }
    /** Parsed if it is JSON, otherwise text. */
    body: JsonValue
  }

  /**
   * Returns the parsed JSON body, or the text 'ERROR' on any error; never rejects. Disabled unless the operator enables
   * it.
   */
  function fetch(url: string | URL, options?: FetchOptions): Promise<JsonValue>
  /**
   * Returns the whole response, for any status. Rejects with an Error when there is none. Disabled unless the operator
   * enables it.
   */
  function fetchV2(url: string | URL, options?: FetchOptions): Promise<FetchAnswer>

  /** Returns the value of a credential; undefined for an unknown key. @throws TypeError without a key. */
  function getCredential(key: string): string | undefined

  /** Returns the location of an IP address. Rejects when the address is missing or the service unavailable. */
  function geolocation(ip: string): Promise<JsonObject>

  /** Writes to the log of the run, like `log`. */
  var console: {
    log(...values: unknown[]): void
    info(...values: unknown[]): void
    warn(...values: unknown[]): void
    error(...values: unknown[]): void
    debug(...values: unknown[]): void
    trace(...values: unknown[]): void
    table(value: unknown): void
    dir(value: unknown, options?: unknown): void
    assert(condition?: unknown, ...values: unknown[]): void
    /** Indents the console output until groupEnd, or until the event ends. */
    group(...values: unknown[]): void
    groupCollapsed(...values: unknown[]): void
    groupEnd(): void
    time(label?: string): void
    timeLog(label?: string, ...values: unknown[]): void
    timeEnd(label?: string): void
    count(label?: string): void
    countReset(label?: string): void
  }

  interface URLSearchParams extends Iterable<[name: string, value: string]> {
    readonly size: number
    append(name: string, value: string): void
    delete(name: string, value?: string): void
    get(name: string): string | null
    getAll(name: string): string[]
    has(name: string, value?: string): boolean
    set(name: string, value: string): void
    sort(): void
    forEach(each: (value: string, name: string, params: URLSearchParams) => void, self?: unknown): void
    entries(): IterableIterator<[name: string, value: string]>
    keys(): IterableIterator<string>
    values(): IterableIterator<string>
    toString(): string
  }
  var URLSearchParams: {
    prototype: URLSearchParams
    new (
      init?: string | Iterable<readonly [string, string]> | { readonly [name: string]: string } | URLSearchParams,
    ): URLSearchParams
  }

  interface URL {
    href: string
    readonly origin: string
    protocol: string
    username: string
    password: string
    host: string
    hostname: string
    port: string
    pathname: string
    search: string
    readonly searchParams: URLSearchParams
    hash: string
    toString(): string
    toJSON(): string
  }
  var URL: {
    prototype: URL
    new (url: string | URL, base?: string | URL): URL
    canParse(url: string | URL, base?: string | URL): boolean
    parse(url: string | URL, base?: string | URL): URL | null
  }

  interface TextEncoder {
    readonly encoding: string
    encode(text?: string): Uint8Array<ArrayBuffer>
    encodeInto(text: string, target: Uint8Array): { read: number; written: number }
  }
  var TextEncoder: { prototype: TextEncoder; new (): TextEncoder }

  interface TextDecoder {
    readonly encoding: string
    readonly fatal: boolean
    readonly ignoreBOM: boolean
    decode(bytes?: ArrayBuffer | ArrayBufferView, options?: { stream?: boolean }): string
  }
  /** UTF-8 only. */
  var TextDecoder: {
    prototype: TextDecoder
    new (label?: 'utf-8' | 'utf8', options?: { fatal?: boolean; ignoreBOM?: boolean }): TextDecoder
  }

  /** Decodes base64 to a text of bytes; `btoa` encodes it. For UTF-8 text use `@sluice/encoding`. */
  function atob(base64: string): string
  function btoa(bytes: string): string
  function structuredClone<Value>(value: Value, options?: { transfer?: readonly [] }): Value
  function queueMicrotask(job: () => void): void
}

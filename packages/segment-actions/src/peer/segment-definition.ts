import type { JsonObject, JsonValue } from '@sluice/core'

/**
 * The shape of a destination definition in `@segment/action-destinations` (MIT), as far as Sluice uses it. Source:
 * "Actions" in the README of segmentio/action-destinations.
 */
export interface SegmentDefinition {
  readonly name: string
  readonly description?: string
  /** `cloud` runs on a server; `device` in a browser, which Sluice cannot run. */
  readonly mode?: string
  readonly authentication?: SegmentAuthentication
  readonly presets?: readonly SegmentPreset[]
  /** By slug, the name that subscriptions use. */
  readonly actions: Readonly<Record<string, SegmentAction>>
  /** Options of every request, such as headers with the credentials. */
  extendRequest?(data: SegmentData): SegmentRequestOptions
  /** Deletes a user. */
  onDelete?(request: SegmentRequest, data: SegmentData): unknown
}

export interface SegmentAuthentication {
  readonly scheme?: 'custom' | 'basic' | 'oauth2' | 'oauth-managed' | (string & {})
  readonly fields?: Readonly<Record<string, SegmentField>>
  refreshAccessToken?(request: SegmentRequest, data: SegmentRefreshData): unknown
  testAuthentication?(request: SegmentRequest, data: SegmentData): unknown
}

/** A mapping that Segment suggests for an action. */
export interface SegmentPreset {
  readonly name: string
  /** Slug of the action. */
  readonly partnerAction: string
  /** Condition in FQL. Absent for presets of other kinds than `automatic`. */
  readonly subscribe?: string
  readonly mapping?: JsonObject
  readonly type?: 'automatic' | (string & {})
}

export interface SegmentAction {
  readonly title: string
  readonly description?: string
  readonly defaultSubscription?: string
  readonly hidden?: boolean
  readonly fields: Readonly<Record<string, SegmentField>>
  readonly syncMode?: { readonly default?: string; readonly choices?: readonly { readonly value: string }[] }
  perform(request: SegmentRequest, data: SegmentData): unknown
  performBatch?(request: SegmentRequest, data: SegmentData): unknown
}

/** A setting of a destination, or a member of the payload of an action. */
export interface SegmentField {
  readonly label?: string
  readonly description?: string
  readonly type: 'string' | 'text' | 'number' | 'integer' | 'datetime' | 'boolean' | 'password' | 'object'
  readonly required?: boolean | JsonObject
  /** A literal, or a mapping. */
  readonly default?: JsonValue
  readonly choices?: readonly (string | { readonly value: string | number; readonly label?: string })[]
  readonly multiple?: boolean
  readonly allowNull?: boolean
  readonly additionalProperties?: boolean
  readonly properties?: Readonly<Record<string, SegmentField>>
  readonly format?: string
  readonly minimum?: number
  readonly maximum?: number
  /** Conditions under which Segment's page shows the field. */
  readonly depends_on?: JsonObject
  readonly unsafe_hidden?: boolean
}

/** Sends a request. Options: see `SegmentRequestOptions`. */
export type SegmentRequest = (url: string, options?: SegmentRequestOptions) => Promise<unknown>

/** Options of a request as actions write them. Values come from code that Sluice does not control. */
export type SegmentRequestOptions = Readonly<Record<string, unknown>>

/** Input of the functions of a definition. */
export interface SegmentData {
  readonly settings: JsonObject
  readonly payload?: JsonObject | readonly JsonObject[]
  readonly auth: SegmentAuth
  readonly [member: string]: unknown
}

export interface SegmentAuth {
  readonly accessToken?: string
  readonly refreshToken?: string
}

interface SegmentRefreshData {
  readonly settings: JsonObject
  readonly auth: SegmentAuth & { readonly clientId?: string; readonly clientSecret?: string }
}

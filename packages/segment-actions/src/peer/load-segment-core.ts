import { createRequire } from 'node:module'
import type { JsonObject, JsonValue } from '@sluice/core'
import type { SegmentCore } from './segment-core.ts'
import type { SegmentField, SegmentRequest, SegmentRequestOptions } from './segment-definition.ts'

type MakeRequestClient = (...options: readonly SegmentRequestOptions[]) => SegmentRequest

interface ActionsCore {
  readonly fieldsToJsonSchema: (fields: Readonly<Record<string, SegmentField>>) => JsonObject
  readonly HTTPError: SegmentCore['HTTPError']
  readonly createRequestClient: MakeRequestClient
}

/**
 * Loads what Sluice uses of `@segment/actions-core` and `@segment/destination-subscriptions`.
 *
 * @param require resolves as `@segment/action-destinations` does.
 * @throws Error when one of them is missing.
 */
export function loadSegmentCore(require: NodeJS.Require): SegmentCore {
  const core = require('@segment/actions-core') as ActionsCore
  const ofCore = createRequire(require.resolve('@segment/actions-core'))
  const { parseFql } = ofCore('@segment/destination-subscriptions') as Pick<SegmentCore, 'parseFql'>
  const evaluateLiquid = liquidOf(ofCore)
  return {
    fieldsToJsonSchema: core.fieldsToJsonSchema,
    HTTPError: core.HTTPError,
    parseFql,
    evaluateLiquid,
    replaceRequestClient(make) {
      try {
        // The package exports a getter that reads this member.
        const module = ofCore('./create-request-client.js') as { default: MakeRequestClient }
        module.default = make
        return core.createRequestClient === make
      } catch {
        return false
      }
    },
  }
}

/** Absent in releases that keep it elsewhere; mappings with `@liquid` are then refused. */
function liquidOf(ofCore: NodeJS.Require): SegmentCore['evaluateLiquid'] {
  try {
    const { evaluateLiquid } = ofCore('./mapping-kit/liquid-directive.js') as {
      evaluateLiquid?: (template: JsonValue, event: JsonObject) => unknown
    }
    return typeof evaluateLiquid === 'function' ? evaluateLiquid : undefined
  } catch {
    return undefined
  }
}

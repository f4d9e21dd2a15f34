/**
 * A setting that each event decides: `{{ path || "default" }}`.
 * Source: packages/docs/behaviour/mapping.md#settings-from-events.
 */
export type FromEvent = `{{${string}}}`

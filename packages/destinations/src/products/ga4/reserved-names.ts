/** Names reserved by Google. Source: Google's docs, Measurement Protocol (GA4), reserved names. */
const eventNames: ReadonlySet<string> = new Set([
  ...['ad_activeview', 'ad_click', 'ad_exposure', 'ad_query', 'ad_reward', 'adunit_exposure'],
  ...['app_background', 'app_clear_data', 'app_exception', 'app_install', 'app_remove', 'app_update', 'app_upgrade'],
  ...['app_store_refund', 'app_store_subscription_cancel', 'app_store_subscription_convert'],
  ...['app_store_subscription_renew', 'dynamic_link_app_open', 'dynamic_link_app_update', 'dynamic_link_first_open'],
  ...['error', 'first_open', 'first_visit', 'in_app_purchase', 'os_update', 'session_start', 'user_engagement'],
  ...['notification_dismiss', 'notification_foreground', 'notification_open', 'notification_receive'],
  ...['notification_send', 'session_start_with_rollout'],
])

const userPropertyNames: ReadonlySet<string> = new Set([
  ...['first_open_time', 'first_visit_time', 'last_deep_link_referrer', 'user_id', 'first_open_after_install'],
])

const prefix = /^(_|firebase_|ga_|google_|gtag\.)/

export function isReservedEventName(name: string): boolean {
  return eventNames.has(name)
}

export function isReservedUserProperty(name: string): boolean {
  return userPropertyNames.has(name) || hasReservedPrefix(name)
}

/** Returns whether a name has a reserved prefix. Applies to events, parameters and user properties. */
export function hasReservedPrefix(name: string): boolean {
  return prefix.test(name)
}

/**
 * Returns the name of a parameter or user property with `_` for everything but letters, digits and `_`, which Google
 * refuses; not at the start, where `_` is reserved. `.` and `$` stay, as in RudderStack, unless `isStrict`. Source:
 * Google's docs, GA4 event naming rules.
 */
export function plainName(name: string, isStrict = false): string {
  if (/^\w*$/.test(name)) return name // nearly always
  const { leading, refused } = isStrict ? strict : lenient
  return name.replace(leading, '').replace(refused, '_')
}

const strict = { leading: /^[^\p{L}\p{N}_]+/u, refused: /[^\p{L}\p{N}_]/gu }
const lenient = { leading: /^[^\p{L}\p{N}_.$]+/u, refused: /[^\p{L}\p{N}_.$]/gu }

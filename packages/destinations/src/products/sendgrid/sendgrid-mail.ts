import { isJsonObject, type JsonObject, type JsonValue } from '@sluice/core'
import {
  convert,
  defined,
  firstAt,
  instrumentationError,
  isPresent,
  type MappingError,
  objectOrEmpty,
  objectsIn,
  setMember,
} from '../../kit/index.ts'
import type { SendgridSettings } from './sendgrid-settings.ts'

type Mail = Record<string, JsonValue | undefined>

/** Properties of track events that are parts of the mail, and their names in the API. Others are custom arguments. */
const parts: Readonly<Record<string, string>> = {
  subject: 'subject',
  content: 'content',
  attachments: 'attachments',
  templateId: 'template_id',
  headers: 'headers',
  categories: 'categories',
  sendAt: 'send_at',
  batchId: 'batch_id',
  asm: 'asm',
  IPPoolName: 'ip_pool_name',
  trackingSettings: 'tracking_settings',
}

const special: ReadonlySet<string> = new Set([
  ...['personalizations', 'from', 'replyTo', 'replyToList', 'customArgs', 'mailSettings'],
])

/** Returns a track event as a mail. Properties override settings. Source: SendGrid docs, Mail Send. */
export function sendgridMail(event: JsonObject, settings: SendgridSettings): JsonObject | MappingError {
  const properties = objectOrEmpty(event['properties'])
  const personalizations = receiversOf(event, properties, settings)
  if (personalizations === undefined) return instrumentationError('the event names no receivers')
  const from = sender(properties['from'], settings.fromEmail, settings.fromName)
  if (from === undefined) return instrumentationError('neither the event nor the settings have an email of the sender')
  const mail: Mail = { ...mailOfSettings(settings), personalizations, from }
  const replyTo = sender(properties['replyTo'], settings.replyToEmail, settings.replyToName)
  if (replyTo !== undefined) mail['reply_to'] = replyTo
  if (Array.isArray(properties['replyToList'])) mail['reply_to_list'] = properties['replyToList']
  const settingsOfMail = mailSettings(settings, objectOrEmpty(properties['mailSettings']))
  if (settingsOfMail !== undefined) mail['mail_settings'] = settingsOfMail
  const others: Mail = {}
  for (const key of Object.keys(properties)) {
    const value = properties[key]
    const name = Object.hasOwn(parts, key) ? parts[key] : undefined
    if (special.has(key) || value === undefined) continue
    if (name === undefined) setMember(others, key, value)
    else if (value !== null && value !== '') mail[name] = value
  }
  const custom = isJsonObject(properties['customArgs']) ? { ...others, ...properties['customArgs'] } : others
  if (Object.keys(custom).length > 0) mail['custom_args'] = custom
  return mail
}

const emailOf = firstAt(['traits.email', 'context.traits.email'])

/** Returns the receivers: those of the event, or the email of its user if the settings say so. */
function receiversOf(
  event: JsonObject,
  { personalizations }: JsonObject,
  { mailFromTraits }: SendgridSettings,
): readonly JsonObject[] | undefined {
  const given = objectsIn(personalizations)
  const reachable = given.flatMap((each): readonly JsonObject[] => {
    const receivers = Array.isArray(each['to']) ? each['to'].filter((one) => isJsonObject(one) && one['email']) : []
    return receivers.length === 0 ? [] : [{ ...each, to: receivers }]
  })
  if (reachable.length > 0) return reachable
  const email = mailFromTraits ? emailOf(event) : undefined
  return email ? [{ to: [{ email }] }] : undefined
}

type Setting = string | null | undefined

function sender(own: JsonValue | undefined, email: Setting, name: Setting): JsonObject | undefined {
  if (isJsonObject(own) && own['email']) return own
  return email ? withoutBlank({ email, name }) : undefined
}

function mailOfSettings(settings: SendgridSettings): JsonObject {
  const contents = settings.contents.filter(({ type, value }) => type && value).map(withoutBlank)
  const files = settings.attachments.filter(({ content, filename }) => content && filename)
  const attachments = files.map(({ contentId, ...file }) => withoutBlank({ ...file, content_id: contentId }))
  return {
    ...withoutBlank({
      subject: settings.subject,
      template_id: settings.templateId,
      ip_pool_name: settings.IPPoolName,
      asm: unsubscribeGroups(settings),
      tracking_settings: trackingSettings(settings),
    }),
    ...(contents.length > 0 && { content: contents }),
    ...(attachments.length > 0 && { attachments }),
  }
}

function unsubscribeGroups({ group, groupsToDisplay }: SendgridSettings): JsonObject | undefined {
  const id = convert.integer(group ?? '')
  if (id === undefined) return undefined
  const shown = groupsToDisplay.flatMap(({ groupId }) => convert.integer(groupId ?? '') ?? [])
  return defined({ group_id: id, groups_to_display: shown.length > 0 ? shown : undefined })
}

/**
 * Returns the settings of a mail: those of the event before those of the destination. Members that the event writes as the API has them
 * are sent as they are.
 */
function mailSettings(settings: SendgridSettings, own: JsonObject): JsonObject | undefined {
  const { bypassListManagement: bypass, footer: ownFooter, ...others } = own
  const { footer, footerText, footerHtml, sandboxMode, bypassListManagement } = settings
  const footerOf = (text: JsonValue): JsonObject =>
    isJsonObject(text) ? text : defined({ enable: true, text: text === true ? undefined : text })
  return orNone(
    defined({
      bypass_list_management: (bypass ?? bypassListManagement) ? { enable: true } : undefined,
      footer: footer ? withoutBlank({ enable: true, text: footerText, html: footerHtml }) : undefined,
      ...(ownFooter && { footer: footerOf(ownFooter) }),
      sandbox_mode: sandboxMode ? { enable: true } : undefined,
      ...others,
    }),
  )
}

function trackingSettings(settings: SendgridSettings): JsonObject | undefined {
  const { clickTracking, openTracking, subscriptionTracking, ganalytics } = settings
  return orNone(
    defined({
      click_tracking: clickTracking ? { enable: true, enable_text: settings.clickTrackingEnableText } : undefined,
      open_tracking: openTracking
        ? withoutBlank({ enable: true, substitution_tag: settings.openTrackingSubstitutionTag })
        : undefined,
      subscription_tracking: subscriptionTracking
        ? withoutBlank({
            enable: true,
            text: settings.text,
            html: settings.html,
            substitution_tag: settings.substitutionTag,
          })
        : undefined,
      ganalytics: ganalytics
        ? withoutBlank({
            enable: true,
            utm_source: settings.utmSource,
            utm_medium: settings.utmMedium,
            utm_term: settings.utmTerm,
            utm_content: settings.utmContent,
            utm_campaign: settings.utmCampaign,
          })
        : undefined,
    }),
  )
}

function orNone(value: JsonObject): JsonObject | undefined {
  return Object.keys(value).length === 0 ? undefined : value
}

function withoutBlank(value: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => isPresent(each)))
}

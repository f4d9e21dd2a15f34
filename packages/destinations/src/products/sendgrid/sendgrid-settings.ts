import { Type } from 'typebox'

const text = (description: string) => Type.Optional(Type.Union([Type.String(), Type.Null()], { description }))

const flag = (description: string) => Type.Boolean({ default: false, description })

const listOf = (members: Record<string, ReturnType<typeof text>>, description: string) =>
  Type.Optional(
    Type.Array(Type.Object(members), {
      description,
      allowed: `a list of objects with ${Object.keys(members).join(', ')}`,
    }),
  )

/** The settings of the SendGrid destination. Source: RudderStack docs, SendGrid destination. */
export const sendgridSettings = Type.Object({
  apiKey: text('API key of the SendGrid account.'),
  subject: text('Subject of mails.'),
  listId: text('Id of the list that contacts are put on.'),
  customFieldsMapping: listOf(
    { from: text('Name of a trait.'), to: text('Name of a custom field.') },
    'Traits and the custom fields that hold them.',
  ),
  templateId: text('Id of the template of mails.'),
  mailFromTraits: flag('Takes the address of the receiver from the traits.'),
  replyToEmail: text('Address that answers go to.'),
  replyToName: text('Name of the one that answers go to.'),
  IPPoolName: text('Pool of addresses that mails are sent from.'),
  fromEmail: text('Address of the sender.'),
  fromName: text('Name of the sender.'),
  eventNamesSettings: listOf({ event: text('Name of a track event.') }, 'Track events that send a mail.'),
  contents: listOf({ type: text('Its media type.'), value: text('Its text.') }, 'What mails say.'),
  attachments: listOf(
    {
      content: text('The file, in Base64.'),
      contentId: text('Its id, for use inside the mail.'),
      disposition: text('Whether it is shown inline or attached.'),
      filename: text('Its name.'),
      type: text('Its media type.'),
    },
    'Files that go with mails.',
  ),
  group: text('Id of the group that receivers can unsubscribe from.'),
  groupsToDisplay: listOf({ groupId: text('Id of a group.') }, 'Groups that receivers are shown.'),
  footer: flag('Puts a footer under mails.'),
  footerText: text('The footer as text.'),
  footerHtml: text('The footer as HTML.'),
  sandboxMode: flag('Has SendGrid check mails and not send them.'),
  clickTracking: flag('Counts clicks on links.'),
  clickTrackingEnableText: flag('Counts clicks in mails of plain text too.'),
  openTracking: flag('Counts mails that were opened.'),
  openTrackingSubstitutionTag: text('What is replaced by the picture that counts them.'),
  subscriptionTracking: flag('Puts a link to unsubscribe under mails.'),
  text: text('The text around that link.'),
  html: text('The HTML around that link.'),
  substitutionTag: text('What is replaced by that link.'),
  ganalytics: flag('Adds the parameters of Google Analytics to links.'),
  utmSource: text('Parameter utm_source of links.'),
  utmMedium: text('Parameter utm_medium of links.'),
  utmTerm: text('Parameter utm_term of links.'),
  utmContent: text('Parameter utm_content of links.'),
  utmCampaign: text('Parameter utm_campaign of links.'),
})

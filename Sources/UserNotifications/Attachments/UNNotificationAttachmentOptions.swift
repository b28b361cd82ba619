/// The key of a uniform type identifier, where the file's name does not tell its type.
public let UNNotificationAttachmentOptionsTypeHintKey = "UNNotificationAttachmentOptionsTypeHintKey"

/// The key of a Boolean: whether the notification has no thumbnail.
public let UNNotificationAttachmentOptionsThumbnailHiddenKey =
    "UNNotificationAttachmentOptionsThumbnailHiddenKey"

/// The key of a rectangle in units of the picture's size, as a dictionary, that is the thumbnail.
public let UNNotificationAttachmentOptionsThumbnailClippingRectKey =
    "UNNotificationAttachmentOptionsThumbnailClippingRectKey"

/// The key of a time in a film, in seconds, or a number of a picture, that is the thumbnail.
public let UNNotificationAttachmentOptionsThumbnailTimeKey =
    "UNNotificationAttachmentOptionsThumbnailTimeKey"

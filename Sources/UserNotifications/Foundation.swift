// Apple's framework brings Foundation with it, and so does source written for it expect here.
@_exported public import Foundation

internal import PushStore

/// Everything the console does, in one table.
enum ConsoleRoutes {
    static let all: [ConsoleRoute] =
        access + overview + compose + pushes

    private static let access: [ConsoleRoute] = [
        .get("", .role(.viewer), AppsPage.start),
        .get("/sign-in", .anyone, SignInPage.show),
        .post("/sign-in", .anyone, SignInPage.signIn),
        .post("/sign-out", .role(.viewer), SignInPage.signOut),
        .get("/set-up", .anyone, SetUpPage.show),
        .post("/set-up", .anyone, SetUpPage.create),
        .get("/language/:language", .anyone, SignInPage.setLanguage),
        .get("/apps", .role(.viewer), AppsPage.list),
    ]

    private static let overview: [ConsoleRoute] = [
        .get("/apps/:app/overview", .role(.viewer), OverviewPage.show),
        .get("/apps/:app/overview/series", .role(.viewer), OverviewPage.series),
        .get("/apps/:app/overview/devices", .role(.viewer), OverviewPage.devices),
    ]

    private static let compose: [ConsoleRoute] = [
        .get("/apps/:app/compose", .role(.sender), ComposePage.show),
        .post("/apps/:app/compose", .role(.sender), ComposePage.edit),
        .post("/apps/:app/compose/check", .role(.sender), ComposePage.check),
        .post("/apps/:app/compose/audience", .role(.sender), ComposePage.audience),
        .post("/apps/:app/compose/confirm", .role(.sender), ComposePage.confirm),
        .post("/apps/:app/compose/send", .role(.sender), ComposePage.send),
        .post("/apps/:app/compose/test", .role(.sender), ComposePage.sendTest),
    ]

    private static let pushes: [ConsoleRoute] = [
        .get("/apps/:app/pushes", .role(.viewer), PushesPage.list),
        .get("/apps/:app/pushes/:push", .role(.viewer), PushPage.show),
        .get("/apps/:app/pushes/:push/live", .role(.viewer), PushPage.live),
        .get("/apps/:app/pushes/:push/stream", .role(.viewer), PushPage.stream),
        .get("/apps/:app/pushes/:push/row", .role(.viewer), PushesPage.row),
        .post("/apps/:app/pushes/:push/:change", .role(.sender), PushPage.change),
    ]
}

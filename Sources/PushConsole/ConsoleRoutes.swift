internal import PushStore

/// Everything the console does, in one table.
enum ConsoleRoutes {
    static let all: [ConsoleRoute] =
        access + overview + compose + pushes + devices + administration + gateway

    private static let access: [ConsoleRoute] = [
        .get("", .role(.viewer), AppsPage.start),
        .get("/sign-in", .anyone, SignInPage.show),
        .post("/sign-in", .anyone, SignInPage.signIn),
        .post("/sign-out", .role(.viewer), SignInPage.signOut),
        .get("/set-up", .anyone, SetUpPage.show),
        .post("/set-up", .anyone, SetUpPage.create),
        .get("/language/:language", .anyone, SignInPage.setLanguage),
        .get("/apps", .role(.viewer), AppsPage.list),
        .post("/apps", .role(.owner), AppsPage.create),
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
        .get("/apps/:app/pushes/:push/audience", .role(.viewer), PushPage.audience),
        .get("/apps/:app/pushes/:push/outcomes", .role(.viewer), PushPage.outcomes),
        .get("/apps/:app/pushes/:push/live", .role(.viewer), PushPage.live),
        .get("/apps/:app/pushes/:push/stream", .role(.viewer), PushPage.stream),
        .get("/apps/:app/pushes/:push/row", .role(.viewer), PushesPage.row),
        .post("/apps/:app/pushes/:push/:change", .role(.sender), PushPage.change),
    ]

    private static let devices: [ConsoleRoute] = [
        .get("/apps/:app/schedules", .role(.viewer), SchedulesPage.show),
        .post("/apps/:app/schedules/:number/cancel", .role(.sender), SchedulesPage.cancel),
        .get("/apps/:app/installations", .role(.viewer), InstallationsPage.show),
        .get("/apps/:app/installations/results", .role(.viewer), InstallationsPage.results),
        .get("/apps/:app/installations/:installation", .role(.viewer), InstallationPage.show),
        .get("/apps/:app/installations/:installation/history", .role(.viewer), InstallationPage.history),
        .get("/apps/:app/explain", .role(.viewer), ExplainPage.show),
        .get("/apps/:app/events", .role(.viewer), EventsPage.show),
        .get("/apps/:app/events/interests", .role(.viewer), EventsPage.interests),
    ]

    private static let administration: [ConsoleRoute] = [
        .get("/apps/:app/credentials", .role(.viewer), CredentialsPage.show),
        .post("/apps/:app/credentials", .role(.owner), CredentialsPage.add),
        .post("/apps/:app/credentials/:number/check", .role(.owner), CredentialsPage.check),
        .post("/apps/:app/credentials/:number/remove", .role(.owner), CredentialsPage.remove),
        .post("/apps/:app/keys", .role(.owner), CredentialsPage.rotate),
        .post("/apps/:app/settings", .role(.owner), CredentialsPage.saveSettings),
        .get("/audit", .role(.viewer), AuditPage.show),
        .get("/users", .role(.owner), UsersPage.show),
        .post("/users", .role(.owner), UsersPage.add),
        .post("/users/remove", .role(.owner), UsersPage.remove),
        .post("/users/password", .role(.owner), UsersPage.setPassword),
    ]

    private static let gateway: [ConsoleRoute] = [
        .get("/gateway", .role(.viewer), GatewayPage.show),
        .get("/gateway/journal", .role(.viewer), GatewayPage.journal),
        .get("/gateway/faults", .role(.viewer), GatewayPage.faults),
        .post("/gateway/faults", .role(.owner), GatewayPage.addFault),
        .post("/gateway/faults/remove", .role(.owner), GatewayPage.removeFaults),
    ]
}
